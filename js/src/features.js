// Online features: evenly spaced points in units of the average stroke height, and the eight features of Eq. (2).
// Computed in doubles and stored as floats, as in Python.

import { roundHalfEven } from './rounding.js';
import { MAX_POINTS_PER_STROKE, MOST_DASHES_AND_DOTS, ONLINE_STRIDE, POSITION_UNIT, WIDEST } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {{features: Float32Array, strokeLengths: number[]}} Trace (N, 8) features, and the points of each stroke */

const FEATURES = 8;

/**
 * X^on of Eq. (2), evenly spaced; every stroke fills whole cells of the encoder's grid.
 * @param {readonly Stroke[]} strokes
 * @param {number} spacing of the average stroke height
 * @returns {Trace}
 */
export function traceFeatures(strokes, spacing) {
  const unit = averageStrokeHeight(strokes);
  const spaced = strokes.map((stroke) => spaceEvenly(stroke, spacing * unit));
  const mean = lineMean(spaced);
  const x = spaced.flatMap((stroke) => Array.from(stroke.x, (at) => (at - mean.x) / unit));
  const y = spaced.flatMap((stroke) => Array.from(stroke.y, (at) => (at - mean.y) / unit));
  const strokeLengths = spaced.map((stroke) => stroke.x.length);
  return { features: eightFeatures(x, y, strokeLengths, spacing), strokeLengths };
}

/**
 * pmask^on: which cells of ONLINE_STRIDE points each stroke holds, (M, L).
 * @param {readonly number[]} strokeLengths multiples of the stride
 */
export function pooledStrokeMask(strokeLengths) {
  const counts = strokeLengths.map((length) => length / ONLINE_STRIDE);
  const cells = counts.reduce((sum, count) => sum + count, 0);
  const mask = new Float32Array(counts.length * cells);
  let first = 0;
  counts.forEach((count, stroke) => {
    mask.fill(1, stroke * cells + first, stroke * cells + first + count);
    first += count;
  });
  return mask;
}

/**
 * Position, forward differences over one and two points (across strokes, clamped at the end), and the pen's state.
 * @param {number[]} x
 * @param {number[]} y
 * @param {number[]} strokeLengths
 * @param {number} step that differences are divided by
 */
function eightFeatures(x, y, strokeLengths, step) {
  const last = x.length - 1;
  const features = new Float32Array(x.length * FEATURES);
  for (let i = 0; i <= last; i += 1) {
    const [one, two] = [Math.min(i + 1, last), Math.min(i + 2, last)];
    features.set([
      x[i] / POSITION_UNIT, y[i] / POSITION_UNIT,
      (x[one] - x[i]) / step, (y[one] - y[i]) / step,
      (x[two] - x[i]) / step, (y[two] - y[i]) / step,
      1, 0,
    ], i * FEATURES);
  }
  let end = 0;
  for (const length of strokeLengths) {
    end += length;
    features.set([0, 1], end * FEATURES - 2);
  }
  return features;
}

/**
 * Mean height of the strokes taller than a tenth of the tallest; never zero.
 * @param {readonly Stroke[]} strokes
 */
export function averageStrokeHeight(strokes) {
  const widths = strokes.map(({ x }) => extent(x));
  const heights = strokes.map(({ y }) => extent(y));
  const [widest, tallest] = [largest(widths), largest(heights)];
  const few = strokes.length <= MOST_DASHES_AND_DOTS || heights.every((height, i) => height <= 0.25 * widths[i]);
  const low = few && tallest <= 0.1 * widest; // dashes and dots only: their width tells the size
  const tall = heights.filter((height) => height > 0.1 * tallest);
  const mean = tall.reduce((sum, height) => sum + height, 0) / tall.length;
  const across = [strokes.flatMap(({ x }) => [...x]), strokes.flatMap(({ y }) => [...y])].map(extent);
  const unit = Math.max(low ? widest : mean, largest(across) / (WIDEST * strokes.length)); // dots far apart do not tell
  return unit > 0 ? unit : 1;
}

/**
 * Points at equal distances of about `spacing`, their count a multiple of the encoder's stride.
 * @param {Stroke} stroke
 * @param {number} spacing
 * @returns {Stroke}
 */
export function spaceEvenly({ x, y }, spacing) {
  const along = new Float64Array(x.length);
  for (let i = 1; i < x.length; i += 1) along[i] = along[i - 1] + Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  const length = along[along.length - 1];
  const cells = Math.max(1, roundHalfEven(length / (spacing * ONLINE_STRIDE)));
  const count = Math.min(ONLINE_STRIDE * cells, MAX_POINTS_PER_STROKE);
  const at = Float64Array.from({ length: count }, (_, i) => i * (length / (count - 1)));
  at[count - 1] = length;
  return { x: interpolate(at, along, x), y: interpolate(at, along, y) };
}

/**
 * Values at rising places of a line through known ones.
 * @param {Float64Array} at
 * @param {Float64Array} known
 * @param {Float64Array} values
 */
function interpolate(at, known, values) {
  const last = known.length - 1;
  let j = 0;
  return at.map((place) => {
    while (j < last && known[j + 1] <= place) j += 1;
    if (j === last || known[j] === place) return values[j];
    return ((values[j + 1] - values[j]) / (known[j + 1] - known[j])) * (place - known[j]) + values[j];
  });
}

/**
 * The mean of the ink as line integrals over the segments inside strokes; of its points where it has no length.
 * @param {Stroke[]} strokes
 */
function lineMean(strokes) {
  let [total, sumX, sumY] = [0, 0, 0];
  for (const { x, y } of strokes) {
    for (let i = 1; i < x.length; i += 1) {
      const length = Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
      total += length;
      sumX += length * (x[i] + x[i - 1]);
      sumY += length * (y[i] + y[i - 1]);
    }
  }
  if (total > 0) return { x: sumX / (2 * total), y: sumY / (2 * total) };
  return { x: mean(strokes.flatMap(({ x }) => [...x])), y: mean(strokes.flatMap(({ y }) => [...y])) };
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {ArrayLike<number>} values */
const extent = (values) => largest(values) - smallest(values);

/** @param {ArrayLike<number>} values */
function largest(values) {
  let most = values[0];
  for (let i = 1; i < values.length; i += 1) most = Math.max(most, values[i]);
  return most;
}

/** @param {ArrayLike<number>} values */
function smallest(values) {
  let least = values[0];
  for (let i = 1; i < values.length; i += 1) least = Math.min(least, values[i]);
  return least;
}
