// Reading order: the order of an ink's strokes that their places alone tell, whenever they were written.
//
// Strokes are parted into columns wherever a vertical line passes between them, a column into rows, a row into columns
// again. What no line parts, such as a root and what stands under it, gives up its leftmost stroke first.

import { boxOf } from './ink.js';
import { ORDER_OVERLAP } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {[low: number, high: number]} Extent */
/** @typedef {[across: Extent, down: Extent]} Extents of one stroke */

/**
 * The numbers of the strokes in reading order; it does not depend on the order that they are given in.
 * @param {readonly Stroke[]} ink
 * @returns {number[]}
 */
export function inReadingOrder(ink) {
  const extents = ink.map(extentsOf);
  const fromLeft = [...ink.keys()].sort((a, b) => (
    firstDifference(extents[a].flat(), extents[b].flat()) || firstDifference(bytesOf(ink[a]), bytesOf(ink[b]))
  ));
  return ordered(extents, fromLeft);
}

/** @param {Stroke} stroke @returns {Extents} */
function extentsOf(stroke) {
  const { left, right, top, bottom } = boxOf([stroke]);
  return [[left, right], [top, bottom]];
}

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

/**
 * @param {readonly Extents[]} extents
 * @param {number[]} strokes sorted by their left edge
 */
function ordered(extents, strokes) {
  /** @type {number[]} */
  const order = [];
  const waiting = [strokes];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    const groups = parted(extents, group, 0) ?? parted(extents, group, 1);
    if (groups) {
      waiting.push(...groups.reverse());
    } else {
      order.push(group[0]);
      if (group.length > 1) waiting.push(group.slice(1));
    }
  }
  return order;
}

/**
 * The strokes in the groups that lines across an axis part, or null if there is only one.
 * @param {readonly Extents[]} extents
 * @param {readonly number[]} strokes
 * @param {0 | 1} axis
 */
function parted(extents, strokes, axis) {
  const kept = strokes.map((stroke) => withoutEnds(extents[stroke][axis]));
  /** @type {number[][]} */
  const groups = [];
  let reach = -Infinity;
  for (const at of [...kept.keys()].sort((a, b) => kept[a][0] - kept[b][0])) {
    const [low, high] = kept[at];
    if (low > reach) groups.push([]);
    groups[groups.length - 1].push(at);
    reach = Math.max(reach, high);
  }
  if (groups.length === 1) return null;
  return groups.map((group) => group.sort((a, b) => a - b).map((at) => strokes[at]));
}

/** What a parting line may not cut. @param {Extent} extent @returns {Extent} */
function withoutEnds([low, high]) {
  const cut = ORDER_OVERLAP * (high - low);
  return [low + cut, high - cut];
}
