// Upright ink: a line of writing that slopes is made level, and letters that lean far are set upright. Most people write
// level and lean a little to the right, and so does the ink that the networks have seen. That a line slopes is believed
// where two things say so: where its strokes stand, and which way its level pieces run. A superscript at the end, or an
// index, moves the first alone; a hand that joins its letters upwards the second.

import { strokeBoxes, writingSize } from './boxes.js';
import { UPRIGHT_INK } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {[across: number, down: number]} Step */

/** The ink level and upright; the ink itself if it is. @param {readonly Stroke[]} ink @returns {readonly Stroke[]} */
export function upright(ink) {
  if (ink.length <= UPRIGHT_INK.FEW) return ink;
  const steps = ink.flatMap(stepsOf);
  const slope = slopeOf(ink, steps);
  const lean = leanOf(steps.map(([across, down]) => [across, down - across * slope]));
  if (!slope && !lean) return ink;
  const [left, top] = [ink[0].x[0], ink[0].y[0]];
  return ink.map(({ x, y }) => {
    const down = y.map((value, i) => value - top - slope * (x[i] - left));
    return { x: x.map((value, i) => value - left + lean * down[i] + left), y: down.map((value) => value + top) };
  });
}

/** From each point of a stroke to the next. @param {Stroke} stroke @returns {Step[]} */
const stepsOf = ({ x, y }) => Array.from(x.subarray(1), (value, i) => [value - x[i], y[i + 1] - y[i]]);

/**
 * How far the line falls on its way to the right; 0 if it is level, or too short to tell.
 * @param {readonly Stroke[]} ink
 * @param {readonly Step[]} steps
 */
function slopeOf(ink, steps) {
  const boxes = strokeBoxes(ink);
  const size = writingSize(boxes);
  const middles = boxes.map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]);
  /** @type {Step[]} */
  const ways = middles.flatMap(([x, y], at) => middles.slice(at + 1).map(([a, b]) => /** @type {Step} */ ([a - x, b - y])));
  const far = ways.filter(([across, down]) => Math.abs(across) > Math.max(UPRIGHT_INK.APART * size, Math.abs(down)));
  if (far.length < UPRIGHT_INK.PAIRS) return 0;
  const line = fall(far);
  const tilt = fall(steps.filter(([across, down]) => Math.abs(across) > Math.abs(down)));
  const slope = line * tilt > 0 ? (Math.abs(tilt) < Math.abs(line) ? tilt : line) : 0;
  return Math.abs(slope) > UPRIGHT_INK.SLOPE && Math.abs(slope) < UPRIGHT_INK.STEEP ? slope : 0;
}

/** The usual fall of some ways, by how far they lead. @param {readonly Step[]} ways */
const fall = (ways) => quantile(sorted(ways.map(([across, down]) => [down / across, Math.abs(across)])), 0.5);

/**
 * By how much letters lean more to the right than usual; 0 if they hardly do, or this way and that, as x does.
 * @param {readonly Step[]} steps
 */
function leanOf(steps) {
  const rising = steps.filter(([across, down]) => Math.abs(down) > Math.abs(across));
  const leans = sorted(rising.map(([across, down]) => [-across / down, Math.abs(down)]));
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(leans, share));
  const lean = middle - UPRIGHT_INK.USUAL_LEAN;
  return Math.abs(lean) > UPRIGHT_INK.LEAN && (low > UPRIGHT_INK.USUAL_LEAN || high < 0) ? lean : 0;
}

/** @typedef {[value: number, weight: number]} Weighed */

/** @param {Weighed[]} weighed */
const sorted = (weighed) => weighed.sort(([a], [b]) => a - b);

/** The value with this share of the weight below it; 0 of nothing. @param {readonly Weighed[]} ascending @param {number} share */
function quantile(ascending, share) {
  const below = ascending.reduce((sum, [, weight]) => sum + weight, 0) * share;
  let sum = 0;
  for (const [value, weight] of ascending) {
    sum += weight;
    if (sum >= below) return value;
  }
  return 0;
}
