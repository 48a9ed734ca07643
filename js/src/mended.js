// Mended order: an ink as it was written, but for one run of strokes that came late and is put back in its place.
//
// From one stroke to the next the pen travels, and passes strokes that come between the two in reading order. Who goes
// back to insert a sign makes two long ways of it: that run is moved to where the ways are shortest.

import { strokeBoxes, writingSize } from './boxes.js';
import { placesIn } from './order.js';
import { MENDED_EACH, MENDED_RUN, MENDED_SLACK, MENDED_WORTH } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */

/**
 * The numbers of the strokes in mended order, given those in reading order; as they are where no move saves much.
 * @param {readonly Stroke[]} ink
 * @param {readonly number[]} reading
 * @returns {number[]}
 */
export function inMendedOrder(ink, reading) {
  const strokes = [...ink.keys()];
  const way = waysOf(ink, reading);
  let [best, order] = [MENDED_WORTH, strokes];
  for (let length = 1; length <= Math.min(MENDED_RUN, ink.length - 1); length += 1) {
    for (let first = 0; first + length <= ink.length; first += 1) {
      const [before, last, after] = [strokes[first - 1], first + length - 1, strokes[first + length]];
      const saved = way(before, first) + way(last, after) - way(before, after) - MENDED_EACH * length;
      if (saved <= MENDED_WORTH) continue;
      const rest = [...strokes.slice(0, first), ...strokes.slice(first + length)];
      const added = [...rest, undefined].map((right, at) => (
        at === first ? Infinity : way(rest[at - 1], first) + way(last, right) - way(rest[at - 1], right)
      ));
      const least = Math.min(...added);
      const place = added.findIndex((cost) => cost <= least + MENDED_SLACK);
      if (saved - added[place] > best + MENDED_SLACK) {
        best = saved - added[place];
        order = [...rest.slice(0, place), ...strokes.slice(first, first + length), ...rest.slice(place)];
      }
    }
  }
  return order;
}

/**
 * The way from one stroke to another; to and from outside, which is undefined, there is none.
 * @param {readonly Stroke[]} ink
 * @param {readonly number[]} reading
 * @returns {(from: number | undefined, to: number | undefined) => number}
 */
function waysOf(ink, reading) {
  const size = writingSize(strokeBoxes(ink)) || 1;
  const places = placesIn(reading);
  return (from, to) => {
    if (from === undefined || to === undefined) return 0;
    const { x, y } = ink[from];
    const travel = Math.hypot(ink[to].x[0] - x[x.length - 1], ink[to].y[0] - y[y.length - 1]);
    return travel / size + Math.abs(places[to] - places[from] - 1);
  };
}
