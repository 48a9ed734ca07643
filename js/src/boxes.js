// Boxes: where each stroke of an ink is, how large the writing is, and where a straight line passes between strokes.

import { boxOf } from './ink.js';
import { CUT } from './tables.js';

/** @typedef {import('./ink.js').Box & {stroke: number, width: number, height: number, size: number}} StrokeBox */

/** The box of each stroke, by its number. @param {readonly import('./ink.js').Stroke[]} ink @returns {StrokeBox[]} */
export function strokeBoxes(ink) {
  return ink.map((points, stroke) => {
    const box = boxOf([points]);
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    return { ...box, stroke, width, height, size: Math.max(width, height) };
  });
}

/** The median of the strokes' longer sides, which neither dots nor long bars move. @param {readonly StrokeBox[]} boxes */
export function writingSize(boxes) {
  const sizes = boxes.map(({ size }) => size).sort((a, b) => a - b);
  const middle = sizes.length >> 1;
  return sizes.length % 2 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
}

/** 0 where the two touch or overlap. @param {StrokeBox} a @param {StrokeBox} b */
export function distance(a, b) {
  const across = Math.max(b.left - a.right, a.left - b.right, 0);
  const down = Math.max(b.top - a.bottom, a.top - b.bottom, 0);
  return Math.hypot(across, down);
}

/**
 * The places of extents in groups between which a line passes, from low to high.
 * @param {readonly (readonly [low: number, high: number])[]} extents
 */
export function parted(extents) {
  const cuts = extents.map(([low, high]) => CUT * (high - low));
  const lows = extents.map(([low], at) => low + cuts[at]);
  /** @type {number[][]} */
  const groups = [];
  let reach = -Infinity;
  for (const at of [...extents.keys()].sort((a, b) => lows[a] - lows[b])) {
    if (lows[at] > reach) groups.push([]);
    groups[groups.length - 1].push(at);
    reach = Math.max(reach, extents[at][1] - cuts[at]);
  }
  return groups;
}
