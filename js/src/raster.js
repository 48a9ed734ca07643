// Offline features: the ink as an image, and each stroke's share of the encoder's cells.

import { InkscanError } from './errors.js';
import { averageStrokeHeight } from './features.js';
import { roundHalfEven } from './rounding.js';
import { IMAGE_MARGINS, MAX_PIXELS, OFFLINE_STRIDE, RASTER_TOLERANCE } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {{image_height: number, pen: number, max_image_side: number}} RasterSettings pixels */
/**
 * X^off with ink 1 on 0, and pmask^off: strokes over the cells of the encoder's grid.
 * @typedef {object} Raster
 * @property {Float32Array} image (rows * stride, columns * stride)
 * @property {Uint8Array} real 1 where the image is no padding
 * @property {Float32Array} shares (M, rows, columns), of each cell that the stroke inks
 * @property {number} rows of cells
 * @property {number} columns
 */
/** @typedef {{x: Float64Array, y: Float64Array, width: number, height: number}} Placed all points as pixels of an image */

/**
 * Draw every stroke with a square pen.
 * @param {readonly Stroke[]} strokes
 * @param {RasterSettings} settings
 * @returns {Raster}
 */
export function raster(strokes, settings) {
  const { x, y, width, height } = placed(strokes, settings);
  if (width * height > MAX_PIXELS) {
    throw new InkscanError('InkTooLarge', `the ink is too large for one expression: more than ${MAX_PIXELS} pixels`);
  }
  const [rows, columns] = [height, width].map((side) => Math.ceil(side / OFFLINE_STRIDE));
  const across = columns * OFFLINE_STRIDE;
  const image = new Float32Array(rows * OFFLINE_STRIDE * across);
  const real = new Uint8Array(image.length);
  for (let row = 0; row < height; row += 1) real.fill(1, row * across, row * across + width);
  const shares = new Float32Array(strokes.length * rows * columns);
  const inkedLast = new Int32Array(image.length).fill(-1); // by which stroke: a pixel counts once a stroke
  let first = 0;
  strokes.forEach((stroke, number) => {
    const last = first + stroke.x.length - 1;
    follow(x, y, first, last, settings.pen, (column, row) => {
      const pixel = row * across + column;
      if (inkedLast[pixel] === number) return;
      inkedLast[pixel] = number;
      image[pixel] = 1;
      const cell = Math.floor(row / OFFLINE_STRIDE) * columns + Math.floor(column / OFFLINE_STRIDE);
      shares[number * rows * columns + cell] += 1 / OFFLINE_STRIDE ** 2;
    });
    first = last + 1;
  });
  return { image, real, shares, rows, columns };
}

/** @param {readonly Stroke[]} strokes @param {RasterSettings} settings @returns {Placed} */
function placed(strokes, settings) {
  const [before, after] = IMAGE_MARGINS.map((share) => roundHalfEven(share * settings.image_height));
  const room = settings.max_image_side - before - after - 1;
  const [x, y] = [joined(strokes.map((stroke) => stroke.x)), joined(strokes.map((stroke) => stroke.y))];
  const [left, top] = [x, y].map((values) => values.reduce((a, b) => Math.min(a, b)));
  const [right, bottom] = [x, y].map((values) => values.reduce((a, b) => Math.max(a, b)));
  const longest = Math.max(right - left, bottom - top, 1e-12);
  const scale = Math.min(settings.image_height / averageStrokeHeight(strokes), room / longest);
  const pixels = (/** @type {number} */ side) => Math.trunc(side * scale + RASTER_TOLERANCE) + 1 + before + after;
  return {
    x: x.map((at) => (at - left) * scale + before),
    y: y.map((at) => (at - top) * scale + before),
    width: pixels(right - left),
    height: pixels(bottom - top),
  };
}

/**
 * The pixels under the pen as it follows some points, a step a pixel.
 * @param {Float64Array} x
 * @param {Float64Array} y
 * @param {number} first
 * @param {number} last
 * @param {number} pen
 * @param {(column: number, row: number) => void} mark
 */
function follow(x, y, first, last, pen, mark) {
  const nib = Math.floor(pen / 2);
  for (let i = first; i <= last; i += 1) {
    const [wayX, wayY] = i < last ? [x[i + 1] - x[i], y[i + 1] - y[i]] : [0, 0]; // the last point leads nowhere
    const steps = Math.max(Math.ceil(Math.max(Math.abs(wayX), Math.abs(wayY)) - RASTER_TOLERANCE), 1);
    for (let step = 0; step < steps; step += 1) {
      const column = Math.trunc(x[i] + (step / steps) * wayX + RASTER_TOLERANCE) - nib;
      const row = Math.trunc(y[i] + (step / steps) * wayY + RASTER_TOLERANCE) - nib;
      for (let down = 0; down < pen; down += 1) {
        for (let along = 0; along < pen; along += 1) mark(column + along, row + down);
      }
    }
  }
}

/** @param {readonly Float64Array[]} parts */
function joined(parts) {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
