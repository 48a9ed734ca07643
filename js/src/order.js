// Reading order: the order of an ink's strokes that their places alone tell, whenever they were written.
//
// Strokes are parted into columns wherever a vertical line passes between them, a column into rows, a row into columns
// again. What no line parts, such as a root and what stands under it, gives up its leftmost stroke first.

import { parted, strokeBoxes } from './boxes.js';

/** @typedef {import('./boxes.js').StrokeBox} StrokeBox */
/** @typedef {import('./ink.js').Stroke} Stroke */

/**
 * The numbers of the strokes in reading order; it does not depend on the order that they are given in.
 * @param {readonly Stroke[]} ink
 * @returns {number[]}
 */
export function inReadingOrder(ink) {
  const sides = (/** @type {StrokeBox} */ { left, right, top, bottom }) => [left, right, top, bottom];
  const fromLeft = strokeBoxes(ink).sort((a, b) => (
    firstDifference(sides(a), sides(b)) || firstDifference(bytesOf(ink[a.stroke]), bytesOf(ink[b.stroke]))
  ));
  /** @type {number[]} */
  const order = [];
  const waiting = [fromLeft];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    let groups = columnsOf(group);
    if (groups.length === 1) groups = rowsOf(group);
    if (groups.length > 1) {
      waiting.push(...groups.reverse());
    } else {
      order.push(group[0].stroke);
      if (group.length > 1) waiting.push(group.slice(1));
    }
  }
  return order;
}

/** The place of each stroke in an order. @param {readonly number[]} order */
export function placesIn(order) {
  /** @type {number[]} */
  const places = new Array(order.length);
  order.forEach((stroke, place) => { places[stroke] = place; });
  return places;
}

/** @param {StrokeBox[]} boxes */
const columnsOf = (boxes) => grouped(boxes, parted(boxes.map(({ left, right }) => [left, right])));

/** @param {StrokeBox[]} boxes */
const rowsOf = (boxes) => grouped(boxes, parted(boxes.map(({ top, bottom }) => [top, bottom])));

/** The boxes of each group, in the order they are in. @param {StrokeBox[]} boxes @param {number[][]} groups */
const grouped = (boxes, groups) => groups.map((group) => group.sort((a, b) => a - b).map((at) => boxes[at]));

/** The points as Python keeps them: they decide between equal boxes. @param {Stroke} stroke */
function bytesOf({ x, y }) {
  const view = new DataView(new ArrayBuffer(16 * x.length));
  x.forEach((at, i) => view.setFloat64(16 * i, at, true));
  y.forEach((at, i) => view.setFloat64(16 * i + 8, at, true));
  return new Uint8Array(view.buffer);
}

/** Below zero if the first list goes first, as in a dictionary. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function firstDifference(a, b) {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
