// Readings: one ink in two orders, as it was written and as its places alone tell, and the better answer of the two.
// Who goes back to insert a sign writes out of order; a model that was trained on both orders reads such ink in the second.
// Where the two orders hardly differ and the first answer is sure, the second reading would cost more than it tells.

import { inReadingOrder } from './order.js';
import { NEAR, SURE } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./beam.js').Found} Found */
/** @typedef {import('./interpretation.js').Answer} Answer */
/**
 * An ink as it is given to the network.
 * @typedef {object} Reading
 * @property {readonly Stroke[]} ink
 * @property {readonly number[] | null} order the strokes' numbers as written; null if they are in that order
 */
/** @typedef {{reading: Reading, found: Found}} Read what a search found in a reading */

/**
 * The ink as written and, if its strokes were not written in it, in reading order.
 * @param {readonly Stroke[]} ink
 * @returns {Reading[]}
 */
export function bothReadings(ink) {
  const order = inReadingOrder(ink);
  const asWritten = { ink, order: null };
  if (order.every((stroke, place) => stroke === place)) return [asWritten];
  return [asWritten, { ink: order.map((stroke) => ink[stroke]), order }];
}

/**
 * Whether strokes were written nearly in this order: none behind others that stand more than a place after it.
 * @param {readonly number[]} order
 */
export function isNear(order) {
  let furthest = 0;
  return placesIn(order).every((place) => {
    const isInPlace = furthest - place <= NEAR;
    furthest = Math.max(furthest, place);
    return isInPlace;
  });
}

/** The place of each stroke as written. @param {readonly number[]} order */
const placesIn = (order) => order.map((_, stroke) => order.indexOf(stroke));

/** Whether the answer is likely enough to need no second reading. @param {Found} found */
export function isSure({ hypotheses: [{ logProbs }] }) {
  return logProbs.reduce((a, b) => a + b) >= SURE * logProbs.length;
}

/**
 * The reading that leaves the fewest strokes unread, of two alike the likelier, then the first; with the hypotheses of all.
 * @param {readonly Read[]} read
 * @param {(one: Read) => number} unread how many strokes its answer leaves unread
 * @returns {Read}
 */
export function bestReading(read, unread) {
  const answers = new Set(read.map(({ found }) => String(found.hypotheses[0].tokens)));
  const counts = answers.size > 1 ? read.map(unread) : read.map(() => 0);
  const complete = read.filter((_, i) => counts[i] === Math.min(...counts));
  const best = complete.reduce((a, b) => (b.found.hypotheses[0].score > a.found.hypotheses[0].score ? b : a));
  const others = read.filter((one) => one !== best);
  return { reading: best.reading, found: others.reduce((found, other) => merged(found, other.found), best.found) };
}

/**
 * The hypotheses of two readings, each expression once; the answer and where it looked are the best's.
 * @param {Found} best
 * @param {Found} other
 * @returns {Found}
 */
function merged(best, other) {
  const [answer, ...others] = best.hypotheses;
  const known = new Set(best.hypotheses.map(({ tokens }) => String(tokens)));
  const more = other.hypotheses.filter(({ tokens }) => !known.has(String(tokens)));
  return { ...best, hypotheses: [answer, ...[...others, ...more].sort((a, b) => b.score - a.score)] };
}

/**
 * The answer to a reading as one to the ink itself: its strokes have their own numbers again.
 * @param {Answer} answer
 * @param {readonly number[] | null} order
 * @returns {Answer}
 */
export function numberedAsWritten(answer, order) {
  if (!order) return answer;
  const written = (/** @type {readonly number[]} */ strokes) => strokes.map((stroke) => order[stroke]).sort((a, b) => a - b);
  const places = placesIn(order);
  const { symbols, alignment } = answer;
  return {
    ...answer,
    ...(symbols ? { symbols: symbols.map((symbol) => ({ ...symbol, strokes: written(symbol.strokes) })) } : {}),
    unread: written(answer.unread),
    ...(alignment ? { alignment: alignment.map((row) => places.map((place) => row[place])) } : {}),
  };
}
