// Readings: one ink in up to three orders, whose answers `voting.js` chooses among.
// Who goes back to insert a sign writes out of order, who is left-handed may draw bars from their right end. A model that
// was trained on both orders reads such ink as it was written and as its places alone tell, and, where the two disagree,
// with what came late put back. Where the first two orders hardly differ and the first answer is sure, more readings would
// cost more than they tell. In every order the ink is held level and upright.

import { forward, isBackward } from './forward.js';
import { boxOf } from './ink.js';
import { inMendedOrder } from './mended.js';
import { inReadingOrder, placesIn } from './order.js';
import { MENDED_STROKES, NEAR, SURE, TWICE_STROKES } from './tables.js';
import { upright } from './upright.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./beam.js').Found} Found */
/** @typedef {import('./interpretation.js').Answer} Answer */
/**
 * An ink as it is given to the network.
 * @typedef {object} Reading
 * @property {readonly Stroke[]} ink
 * @property {readonly number[] | null} order the strokes' numbers as written; null if it is as it was written
 */
/**
 * What a search found in a reading.
 * @typedef {object} Read
 * @property {Reading} reading
 * @property {Found} found
 * @property {number} unread how many strokes its answer leaves unread
 * @property {import('./interpretation.js').Interpreter} interpreter of the model that read it
 * @property {(hypothesis: import('./beam.js').Hypothesis) => boolean} standsAsSaid whether the symbols of another hypothesis stand as it says
 * @property {import('./voting.js').Agreement | null} agreement of all that were asked, once there was a vote
 */
/** @typedef {readonly number[]} Order strokes by their numbers as written */

/** How an ink is held, and in which orders it is read, one after the other. */
export class ReadingPlan {
  #ink;
  #reading;
  #isNear;

  /**
   * @param {readonly Stroke[]} ink
   * @param {boolean} readsBoth whether the model knows another order than as written
   */
  constructor(ink, readsBoth) {
    const isHeld = readsBoth && ink.length <= TWICE_STROKES;
    this.#ink = isHeld ? upright(ink) : ink;
    this.#reading = isHeld ? inReadingOrder(this.#ink) : null;
    this.#isNear = !this.#reading || isNear(this.#reading);
  }

  /** As it is held. */
  get ink() {
    return this.#ink;
  }

  /** How many readings are made in any case: as written and, where that is far from it, in reading order. */
  get atOnce() {
    return this.#isNear ? 1 : 2;
  }

  /**
   * The reading after these ones, null if they suffice.
   * @param {readonly Read[]} read
   * @returns {Reading | null}
   */
  next(read) {
    if (read.length === 0) return { ink: this.#ink, order: null };
    const order = this.#nextOrder(read);
    return order && { ink: forward(order.map((stroke) => this.#ink[stroke])), order };
  }

  /** @param {readonly Read[]} read @returns {Order | null} */
  #nextOrder(read) {
    if (!this.#reading || read.length > 2) return null;
    const written = [...this.#ink.keys()];
    if (read.length === 1) {
      const isKnown = isSame(this.#reading, written) && !this.#ink.some(isBackward);
      return isKnown || (this.#isNear && isSettled(read[0])) ? null : this.#reading;
    }
    if (this.#isNear || isSame(answerOf(read[0]), answerOf(read[1])) || written.length > MENDED_STROKES) return null;
    const mended = inMendedOrder(this.#ink, this.#reading);
    return isSame(mended, written) || isSame(mended, this.#reading) ? null : mended;
  }
}

/** @param {readonly number[]} a @param {readonly number[]} b */
const isSame = (a, b) => String(a) === String(b);

/** @param {Read} read */
const answerOf = ({ found }) => found.hypotheses[0].tokens;

/**
 * Whether strokes were written nearly in this order: none behind others that stand more than a place after it.
 * @param {Order} order
 */
export function isNear(order) {
  let furthest = 0;
  return placesIn(order).every((place) => {
    const isInPlace = furthest - place <= NEAR;
    furthest = Math.max(furthest, place);
    return isInPlace;
  });
}

/** Whether the answer needs no second reading: it is likely and leaves no stroke unread. @param {Read} read */
function isSettled({ found: { hypotheses: [{ logProbs }] }, unread }) {
  return logProbs.reduce((a, b) => a + b) >= SURE * logProbs.length && unread === 0;
}

/**
 * The answer to a reading as one to the ink itself: its strokes have their own numbers and places again.
 * @param {Answer} answer
 * @param {readonly Stroke[]} ink as written
 * @param {Reading} reading
 * @returns {Answer}
 */
export function asWritten(answer, ink, reading) {
  if (reading.ink === ink) return answer;
  const order = reading.order ?? [...ink.keys()];
  const written = (/** @type {readonly number[]} */ strokes) => strokes.map((stroke) => order[stroke]).sort((a, b) => a - b);
  const places = placesIn(order);
  const { symbols, alignment } = answer;
  const atItsPlace = (/** @type {import('./interpretation.js').RecognizedSymbol} */ symbol) => {
    const strokes = written(symbol.strokes);
    return { ...symbol, strokes, box: strokes.length ? boxOf(strokes.map((stroke) => ink[stroke])) : null };
  };
  return {
    ...answer,
    ...(symbols ? { symbols: symbols.map(atItsPlace) } : {}),
    unread: written(answer.unread),
    ...(alignment ? { alignment: alignment.map((row) => places.map((place) => row[place])) } : {}),
  };
}
