// Pictures of symbols: what some strokes look like, and what stands around them.
// A symbol is drawn twice. Near, so that it fills its picture: that shows its shape. And in a window as large as a few
// letters: that shows how large it is beside its neighbours, and where it stands. In both, the symbol and all other ink have
// a channel each. Computed in doubles and stored as floats, as in Python.

import { averageStrokeHeight, spaceEvenly } from './features.js';
import { boxOf } from './ink.js';
import { PICTURES } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./ink.js').Box} Box */
/** @typedef {readonly number[]} Group strokes by their numbers */
/**
 * What a classifier sees of G groups of strokes.
 * @typedef {object} SymbolPictures
 * @property {Float32Array} images (G, CHANNELS, SIDE, SIDE), from 0 to 1
 * @property {Float32Array} measures (G, MEASURES): log width and height in average stroke heights, strokes
 */

const { SIDE, FILLED, SMALLEST, WINDOW, PEN_STEP, CHANNELS, MEASURES, LEAST_MEASURE, MOST_STROKES } = PICTURES;
const BORDERED = SIDE + 2; // a border of one pixel takes what falls beside the picture

/**
 * The pictures of some groups of an ink's strokes.
 * @param {readonly Stroke[]} ink
 * @param {readonly Group[]} groups
 * @returns {SymbolPictures}
 */
export function symbolPictures(ink, groups) {
  const size = averageStrokeHeight(ink);
  const boxes = ink.map((stroke) => boxOf([stroke]));
  const images = new Float32Array(groups.length * CHANNELS * SIDE ** 2);
  const measures = new Float32Array(groups.length * MEASURES);
  const far = SIDE / (WINDOW * size);
  const touched = ink.map((stroke) => spaceEvenly(stroke, PEN_STEP / far));
  groups.forEach((group, at) => {
    const own = new Set(group);
    const box = boxOf(group.map((stroke) => ink[stroke]));
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    const near = FILLED / Math.max(width, height, SMALLEST * size);
    const reach = SIDE / 2 / near;
    const around = [...ink.keys()].filter((stroke) => !own.has(stroke) && isWithin(boxes[stroke], middle, reach));
    const close = (/** @type {readonly number[]} */ strokes) => strokes.map((stroke) => spaceEvenly(ink[stroke], PEN_STEP / near));
    const channels = [
      drawn(close(group), middle, near),
      drawn(close(around), middle, near),
      drawn(touched.filter((_, stroke) => own.has(stroke)), middle, far),
      drawn(touched.filter((_, stroke) => !own.has(stroke)), middle, far),
    ];
    channels.forEach((channel, number) => images.set(channel, (at * CHANNELS + number) * SIDE ** 2));
    const sizes = [width, height].map((side) => Math.log(Math.max(side / size, LEAST_MEASURE)));
    measures.set([...sizes, Math.min(group.length, MOST_STROKES)], at * MEASURES);
  });
  return { images, measures };
}

/** Whether a stroke reaches into a square around the middle. @param {Box} box @param {{x: number, y: number}} middle @param {number} reach */
const isWithin = (box, { x, y }, reach) => (
  box.left <= x + reach && box.right >= x - reach && box.top <= y + reach && box.bottom >= y - reach
);

/**
 * Points as ink in a picture around the middle: each is shared by the four pixels nearest to it.
 * @param {readonly Stroke[]} strokes
 * @param {{x: number, y: number}} middle
 * @param {number} scale
 */
function drawn(strokes, middle, scale) {
  const picture = new Float64Array(BORDERED ** 2);
  for (const stroke of strokes) {
    for (let i = 0; i < stroke.x.length; i += 1) {
      const x = (stroke.x[i] - middle.x) * scale + SIDE / 2 + 0.5;
      const y = (stroke.y[i] - middle.y) * scale + SIDE / 2 + 0.5;
      if (!(x >= 0 && x < SIDE + 1 && y >= 0 && y < SIDE + 1)) continue;
      const [column, row] = [Math.floor(x), Math.floor(y)];
      const [right, below] = [x - column, y - row];
      const corner = row * BORDERED + column;
      picture[corner] += (1 - right) * (1 - below);
      picture[corner + 1] += right * (1 - below);
      picture[corner + BORDERED] += (1 - right) * below;
      picture[corner + BORDERED + 1] += right * below;
    }
  }
  return Float32Array.from({ length: SIDE ** 2 }, (_, at) => (
    Math.min(picture[(Math.floor(at / SIDE) + 1) * BORDERED + (at % SIDE) + 1], 1)
  ));
}
