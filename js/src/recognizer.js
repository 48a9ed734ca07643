// Recognizer: strokes in, an answer out, in the shape of the HTTP API.

import { Constraint } from './constraint.js';
import { InkscanError } from './errors.js';
import { readInk } from './ink.js';
import { Fluency } from './language.js';
import { typeset } from './latex.js';
import { CLOSED } from './later.js';
import { linesOf } from './lines.js';
import { asWritten, ReadingPlan } from './readings.js';
import { rounded } from './rounding.js';
import { readOptions } from './search.js';
import { Shapes } from './shapes.js';
import { LineMemory, sheetOf } from './sheet.js';
import { ERROR_CODES, MAX_SHEET_STROKES, MAX_STROKES, SECOND_STROKES } from './tables.js';
import { bestReading } from './voting.js';

/** @typedef {import('./ink.js').InkLike} InkLike */
/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./search.js').Options} Options */
/** @typedef {import('./search.js').CheckedOptions} CheckedOptions */
/** @typedef {import('./interpretation.js').Answer} Answer */
/** @typedef {import('./reader.js').Reader} Reader */
/** @typedef {import('./reader.js').Task} Task */
/** @typedef {import('./readings.js').Read} Read */
/**
 * @template {{close: () => Promise<void>}} T
 * @typedef {import('./later.js').Later<T>} Later
 */
/** @typedef {{queue_ms: number, recognition_ms: number, batch: number}} Timing */
/** @typedef {Answer & {timing: Timing}} Recognition what an ink says; as the reply of POST /v1/recognize */

/**
 * One model, ready to read; perhaps another that is asked where it is in doubt, and a classifier of single symbols that
 * weighs their answers, as does the language model beside it, if there is one. Until these are ready, and where they cannot be had, the first model's answers have to do.
 */
export class Recognizer {
  #reader;
  #second;
  #classifier;
  #info;
  #constraint;
  #memory = new LineMemory();
  #turn = Promise.resolve(); // after the work that was asked for last
  /** @type {Promise<void> | null} */
  #closing = null;

  /**
   * @param {Reader} reader
   * @param {Later<Reader> | null} second
   * @param {Later<import('./classifier.js').Classifier> | null} classifier
   */
  constructor(reader, second = null, classifier = null) {
    this.#reader = reader;
    this.#second = second;
    this.#classifier = classifier;
    this.#info = reader.info;
    this.#constraint = new Constraint(reader.info.vocabulary);
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
   * Recognise strokes; refused with an `InkscanError`, whose code is such as `ink.no_strokes` or `request.invalid`.
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
      const settings = JSON.stringify([checked.search, checked.formats, this.#second?.now?.info.name, this.#classifier?.now?.info.name]);
      const answers = await this.#memory.answers(inks, settings, (line) => this.#timed(line, checked, asked));
      return sheetOf(answers.map((answer, i) => ({ ...answer, strokes: lines[i] })));
    });
  }

  /**
   * Canonical LaTeX and MathML of LaTeX or of tokens, as POST /v1/typeset; anything else is refused with `request.invalid`.
   * @param {{latex: string} | {tokens: readonly string[]}} value
   */
  async typeset(value) {
    this.#refuseIfClosed();
    return typeset(value);
  }

  /** Once the second model and the classifier are ready, or at once if there are none; refused if they cannot be had. */
  async complete() {
    this.#refuseIfClosed();
    await Promise.all([this.#second?.ready(), this.#classifier?.ready()]);
  }

  /** Give the memory of the models back once what is read now is read; what waits or comes later is refused with `request.unavailable`. */
  close() {
    this.#closing ??= this.#turn.then(async () => {
      await this.#reader.close();
      await this.#second?.close();
      await this.#classifier?.close();
    });
    return this.#closing;
  }

  #refuseIfClosed() {
    if (this.#closing) throw new InkscanError('Unavailable', CLOSED);
  }

  /** @param {Options} options */
  #checked(options) {
    this.#refuseIfClosed();
    return readOptions(options, { length_power: this.#info.length_power });
  }

  /**
   * One piece of work after the other, since together none would be faster.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #inTurn(work) {
    const result = this.#turn.then(() => {
      this.#refuseIfClosed();
      return work();
    });
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
    const task = { search, constraint, signal };
    const plan = new ReadingPlan(ink, this.#info.reading_order === true);
    const second = ink.length <= SECOND_STROKES && search.doubt > 0 ? this.#second?.now : null;
    const classifier = this.#classifier?.now;
    const shapes = classifier ? new Shapes(classifier, plan.ink, constraint) : null;
    const fluency = classifier?.language ? new Fluency(classifier.language) : null;
    const best = (/** @type {readonly Read[]} */ read) => bestReading(read, search, shapes, fluency);
    const leavesDoubt = async (/** @type {readonly Read[]} */ read) => !!second && confidenceOf(await best(read), search) < search.doubt;
    let read = await this.#reader.follow(plan, task, leavesDoubt);
    if (second && await leavesDoubt(read)) {
      const more = await opinion(second, plan, task);
      read = more ? [...read, ...more] : await this.#reader.follow(plan, task); // in all orders, as if there were no second
    }
    const { reading, found, interpreter, agreement } = await best(read);
    return asWritten(interpreter.answer(reading.ink, found, search, new Set(formats), agreement), ink, reading);
  }
}

/**
 * How sure the answer of the reading that was chosen is.
 * @param {Awaited<ReturnType<typeof bestReading>>} best
 * @param {Task['search']} search
 */
function confidenceOf({ found, unread, interpreter, agreement }, search) {
  return interpreter.confidence(found, unread, search, agreement);
}

/** What a second model reads; null for an ink that is too large for its image. @param {Reader} second @param {ReadingPlan} plan @param {Task} task */
async function opinion(second, plan, task) {
  return second.follow(plan, task).catch((error) => {
    if (error instanceof InkscanError && error.code === ERROR_CODES.InkTooLarge) return null;
    throw error;
  });
}

/** @param {string} message @returns {never} */
function tooLarge(message) {
  throw new InkscanError('InkTooLarge', message);
}
