// Forward ink: straight strokes run from left to right or downwards, whichever end their writer began at.
// A stroke that bends or leans tells its direction by its shape and stays as it is.

import { FORWARD_STRAIGHT, FORWARD_UPRIGHT } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */

/** The strokes with the straight ones forward. @param {readonly Stroke[]} ink @returns {Stroke[]} */
export const forward = (ink) => ink.map((stroke) => (isBackward(stroke) ? turned(stroke) : stroke));

/** Whether a stroke is straight and runs to the left or upwards. @param {Stroke} stroke */
export function isBackward({ x, y }) {
  const last = x.length - 1;
  const [across, down] = [x[last] - x[0], y[last] - y[0]];
  const goesLeft = -across > FORWARD_UPRIGHT * Math.abs(down);
  const goesUp = -down > FORWARD_UPRIGHT * Math.abs(across);
  if (!goesLeft && !goesUp) return false;
  let length = 0;
  for (let i = 1; i <= last; i += 1) length += Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  return length < FORWARD_STRAIGHT * Math.hypot(across, down);
}

/** @param {Stroke} stroke @returns {Stroke} */
const turned = ({ x, y }) => ({ x: x.slice().reverse(), y: y.slice().reverse() });
