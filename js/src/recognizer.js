// Recognizer: strokes in, an answer out, in the shape of the HTTP API.

import { BeamSearch } from './beam.js';
import { Constraint } from './constraint.js';
import { InkscanError } from './errors.js';
import { traceFeatures } from './features.js';
import { readInk } from './ink.js';
import { Interpreter } from './interpretation.js';
import { Judge } from './judge.js';
import { typeset } from './latex.js';
import { linesOf } from './lines.js';
import { bestReading, numberedAsWritten, ReadingPlan } from './readings.js';
import { rounded } from './rounding.js';
import { boundsOf, readOptions } from './search.js';
import { LineMemory, sheetOf } from './sheet.js';
import { MAX_SHEET_STROKES, MAX_STROKES, MAX_TRACE_POINTS } from './tables.js';

/** @typedef {import('./ink.js').InkLike} InkLike */
/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./search.js').Options} Options */
/** @typedef {import('./search.js').CheckedOptions} CheckedOptions */
/** @typedef {import('./interpretation.js').Answer} Answer */
/** @typedef {{queue_ms: number, recognition_ms: number, batch: number}} Timing */
/** @typedef {Answer & {timing: Timing}} Recognition what an ink says; as the reply of POST /v1/recognize */

/** One model, ready to read. */
export class Recognizer {
  #network;
  #info;
  #constraint;
  #judge;
  #interpreter;
  #memory = new LineMemory();
  #turn = Promise.resolve(); // after the work that was asked for last

  /** @param {import('./model.js').ModelInfo} info @param {import('./network.js').Network} network */
  constructor(info, network) {
    this.#info = info;
    this.#network = network;
    this.#constraint = new Constraint(info.vocabulary);
    this.#judge = new Judge(info.vocabulary);
    this.#interpreter = new Interpreter(info);
  }

  /** The model's name. */
  get name() {
    return this.#info.name;
  }

  /** The licence of its weights. */
  get licence() {
    return this.#info.licence;
  }

  /** The symbols that it knows. */
  get symbols() {
    return this.#info.vocabulary.slice(1);
  }

  /**
   * Recognise strokes.
   * @param {InkLike} strokes
   * @param {Options} options
   * @returns {Promise<Recognition>}
   */
  async recognize(strokes, options = {}) {
    const checked = this.#checked(options);
    const ink = readInk(strokes);
    const asked = performance.now();
    return this.#inTurn(() => this.#timed(ink, checked, asked));
  }

  /**
   * Recognise ink of several lines, each by itself; lines that have not changed since the last sheet are not read again.
   * @param {InkLike} strokes
   * @param {Options} options
   * @returns {Promise<import('./sheet.js').Sheet>}
   */
  async sheet(strokes, options = {}) {
    const checked = this.#checked(options);
    const ink = readInk(strokes);
    if (ink.length > MAX_SHEET_STROKES) {
      tooLarge(`${ink.length} strokes; one sheet has at most ${MAX_SHEET_STROKES}, so split the ink`);
    }
    const lines = linesOf(ink);
    const asked = performance.now();
    return this.#inTurn(async () => {
      const inks = lines.map((line) => line.map((stroke) => ink[stroke]));
      const settings = JSON.stringify([checked.search, checked.formats]);
      const answers = await this.#memory.answers(inks, settings, (line) => this.#timed(line, checked, asked));
      return sheetOf(answers.map((answer, i) => ({ ...answer, strokes: lines[i] })));
    });
  }

  /**
   * Canonical LaTeX and MathML of LaTeX or of tokens, as POST /v1/typeset.
   * @param {{latex: string} | {tokens: readonly string[]}} value
   */
  async typeset(value) {
    return typeset(value);
  }

  /** Give the model's memory back. */
  async close() {
    await this.#network.close();
  }

  /** @param {Options} options */
  #checked(options) {
    return readOptions(options, { length_power: this.#info.length_power });
  }

  /**
   * One piece of work after the other, since together none would be faster.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.then(() => {}, () => {});
    return result;
  }

  /**
   * The answer with what it took.
   * @param {readonly Stroke[]} ink
   * @param {CheckedOptions} checked
   * @param {number} asked when
   * @returns {Promise<Recognition>}
   */
  async #timed(ink, checked, asked) {
    const begun = performance.now();
    const answer = await this.#read(ink, checked);
    const [queued, worked] = [begun - asked, performance.now() - begun];
    return { ...answer, timing: { queue_ms: rounded(queued, 2), recognition_ms: rounded(worked, 2), batch: 1 } };
  }

  /** @param {readonly Stroke[]} ink @param {CheckedOptions} checked @returns {Promise<Answer>} */
  async #read(ink, { search, formats, signal }) {
    if (ink.length > MAX_STROKES) {
      tooLarge(`${ink.length} strokes; one expression has at most ${MAX_STROKES}, so split the ink`);
    }
    const isFree = search.allow === null && !search.forbid.length;
    const constraint = isFree ? this.#constraint : new Constraint(this.#info.vocabulary, search.allow, search.forbid);
    /** @type {import('./readings.js').Read[]} */
    const read = [];
    const unread = (/** @type {import('./readings.js').Read} */ one) => this.#interpreter.unread(one.reading.ink, one.found).length;
    const plan = new ReadingPlan(ink, this.#info.reading_order === true);
    for (let reading = plan.next(read, unread); reading; reading = plan.next(read, unread)) {
      const beam = new BeamSearch(this.#network, constraint, this.#judge, search, boundsOf(ink.length, search), signal);
      const encoded = await this.#network.encode(this.#trace(reading.ink));
      read.push({ reading, found: await beam.run(encoded, this.#info.vocabulary.length) });
    }
    const { reading, found } = bestReading(read, unread);
    return numberedAsWritten(this.#interpreter.answer(reading.ink, found, search, new Set(formats)), reading.order);
  }

  /** The features of an ink, which is refused if they are too many. @param {readonly Stroke[]} ink */
  #trace(ink) {
    const trace = traceFeatures(ink, this.#info.features.spacing);
    if (trace.features.length / 8 > MAX_TRACE_POINTS) {
      tooLarge(`the strokes are too long for one expression: more than ${MAX_TRACE_POINTS} points`);
    }
    return trace;
  }
}

/** @param {string} message @returns {never} */
function tooLarge(message) {
  throw new InkscanError('InkTooLarge', message);
}
