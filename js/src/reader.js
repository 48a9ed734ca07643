// Reader: one model, and what it finds in an ink as it is put to it.

import { BeamSearch } from './beam.js';
import { InkscanError } from './errors.js';
import { traceFeatures } from './features.js';
import { Interpreter } from './interpretation.js';
import { Judge } from './judge.js';
import { raster } from './raster.js';
import { boundsOf } from './search.js';
import { withStanding } from './standing.js';
import { MAX_TRACE_POINTS } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./beam.js').Hypothesis} Hypothesis */
/** @typedef {import('./readings.js').Read} Read */
/**
 * How an ink is read.
 * @typedef {object} Task
 * @property {import('./search.js').SearchSettings} search
 * @property {import('./constraint.js').Constraint} constraint
 * @property {AbortSignal} [signal]
 */

/** One model, ready to read. */
export class Reader {
  #network;
  #judge;
  #interpreter;

  /** @param {import('./model.js').ModelInfo} info @param {import('./network.js').Network} network */
  constructor(info, network) {
    this.info = info;
    this.#network = network;
    this.#judge = new Judge(info.vocabulary);
    this.#interpreter = new Interpreter(info);
  }

  /**
   * What is found in an ink, read in all the orders that its plan asks for until that is enough.
   * @param {import('./readings.js').ReadingPlan} plan
   * @param {Task} task
   * @param {(read: readonly Read[]) => Promise<boolean>} isEnough asked after the readings that are made at once
   * @returns {Promise<Read[]>}
   */
  async follow(plan, task, isEnough = async () => false) {
    /** @type {Read[]} */
    const read = [];
    for (let reading = plan.next(read); reading; reading = plan.next(read)) {
      if (read.length >= plan.atOnce && await isEnough(read)) break;
      read.push(await this.#read(reading, task));
    }
    return read;
  }

  /** Give the model's memory back. */
  async close() {
    await this.#network.close();
  }

  /** @param {import('./readings.js').Reading} reading @param {Task} task @returns {Promise<Read>} */
  async #read(reading, { search, constraint, signal }) {
    const bounds = boundsOf(reading.ink.length, search);
    const beam = new BeamSearch(this.#network, constraint, this.#judge, search, bounds, signal);
    const encoded = await this.#network.encode(this.#features(reading.ink));
    const read = await beam.run(encoded, this.info.vocabulary.length);
    const mend = (/** @type {Hypothesis} */ hypothesis) => (
      search.standing ? this.#interpreter.asItStands(reading.ink, hypothesis, constraint) : null
    );
    const mended = mend(read.hypotheses[0]);
    const found = mended ? withStanding(read, mended, this.info.vocabulary, search) : read;
    const unread = this.#interpreter.unread(reading.ink, found.hypotheses[0]).length;
    const standsAsSaid = (/** @type {Hypothesis} */ hypothesis) => !mend(hypothesis);
    return { reading, found, unread, interpreter: this.#interpreter, standsAsSaid, agreement: null };
  }

  /** The features of an ink, which is refused if they are too many. @param {readonly Stroke[]} ink */
  #features(ink) {
    const { features, offline } = this.info;
    const trace = traceFeatures(ink, features.spacing);
    if (trace.features.length / 8 > MAX_TRACE_POINTS) {
      throw new InkscanError('InkTooLarge', `the strokes are too long for one expression: more than ${MAX_TRACE_POINTS} points`);
    }
    return { trace, raster: offline ? raster(ink, features) : null };
  }
}
