// Unread strokes: those that no symbol of the answer explains. Segmentation gives every stroke to some symbol; one that the
// network did not read lies apart from that symbol's own strokes.

import { distance, strokeBoxes, writingSize } from './boxes.js';
import { DOT_OF_WRITING, REACH_IN_PARTS, REACH_OF_WHOLE } from './tables.js';

/** @typedef {import('./boxes.js').StrokeBox} StrokeBox */

/**
 * The groups without the strokes that lie apart from the part of their symbol that was looked at most.
 * @param {readonly import('./ink.js').Stroke[]} ink
 * @param {readonly string[]} tokens
 * @param {readonly number[][]} groups the strokes of each token
 * @param {readonly Float32Array[]} shares
 * @returns {number[][]}
 */
export function readStrokes(ink, tokens, groups, shares) {
  const boxes = strokeBoxes(ink);
  const size = writingSize(withoutDots(boxes));
  return groups.map((strokes, i) => {
    if (strokes.length < 2) return strokes;
    const reach = (REACH_IN_PARTS.get(tokens[i]) ?? REACH_OF_WHOLE) * size;
    const looked = (/** @type {number[]} */ part) => part.reduce((sum, stroke) => sum + shares[i][stroke], 0);
    const parts = partsOf(strokes.map((stroke) => boxes[stroke]), reach);
    return parts.reduce((best, part) => (looked(part) > looked(best) ? part : best));
  });
}

/** Beside a row of dots two letters are few, and yet they tell how large the writing is. @param {StrokeBox[]} boxes */
function withoutDots(boxes) {
  const large = boxes.map(({ size }) => size).sort((a, b) => a - b)[Math.floor((3 * boxes.length) / 4)];
  const larger = boxes.filter(({ size }) => size > DOT_OF_WRITING * large);
  return larger.length ? larger : boxes;
}

/** Strokes in groups that hang together by steps of at most `reach`. @param {StrokeBox[]} boxes @param {number} reach */
function partsOf(boxes, reach) {
  /** @type {StrokeBox[][]} */
  let parts = [];
  for (const box of boxes) {
    const near = parts.filter((part) => part.some((other) => distance(box, other) <= reach));
    parts = [...parts.filter((part) => !near.includes(part)), [box, ...near.flat()]];
  }
  return parts.map((part) => part.map(({ stroke }) => stroke).sort((a, b) => a - b));
}
