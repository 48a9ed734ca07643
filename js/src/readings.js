// Readings: one ink in two orders, as it was written and as its places alone tell, and the likelier answer of the two.
// Who goes back to insert a sign writes out of order; a model that was trained on both orders reads such ink in the second.

import { inReadingOrder } from './order.js';

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
 * The reading with the likeliest answer, of two alike the first, and the hypotheses of all, each expression once; where
 * it looked is the better reading's.
 * @param {readonly Read[]} read
 * @returns {Read}
 */
export function likeliest(read) {
  const best = read.reduce((a, b) => (b.found.hypotheses[0].score > a.found.hypotheses[0].score ? b : a));
  const others = read.filter((one) => one !== best);
  return { reading: best.reading, found: others.reduce((found, other) => merged(found, other.found), best.found) };
}

/** @param {Found} best @param {Found} other @returns {Found} */
function merged(best, other) {
  const known = new Set(best.hypotheses.map(({ tokens }) => String(tokens)));
  const more = other.hypotheses.filter(({ tokens }) => !known.has(String(tokens)));
  return { ...best, hypotheses: [...best.hypotheses, ...more].sort((a, b) => b.score - a.score) };
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
  const places = order.map((_, stroke) => order.indexOf(stroke));
  const { symbols, alignment } = answer;
  return {
    ...answer,
    ...(symbols ? { symbols: symbols.map((symbol) => ({ ...symbol, strokes: written(symbol.strokes) })) } : {}),
    unread: written(answer.unread),
    ...(alignment ? { alignment: alignment.map((row) => places.map((place) => row[place])) } : {}),
  };
}
