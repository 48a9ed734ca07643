// Ink: strokes in any of the JSON shapes that the Python package reads, checked.
//
//   plain      [[[x, y], [x, y]], ...] or {strokes: [...]}          points may go on with time and pressure
//   plain      [{x: [...], y: [...], t: [...], p: [...]}, ...] or {strokes: [...]}
//   Mathpix    {strokes: {strokes: {x: [[...], ...], y: [[...], ...]}}}
//   MyScript   {strokeGroups: [{strokes: [{x: [...], y: [...]}]}]}

import { InkscanError } from './errors.js';
import { MAX_COORDINATE, MAX_INK_POINTS, MAX_INK_STROKES } from './tables.js';

/** @typedef {ArrayLike<number>} Numbers a list or a typed array */
/** @typedef {{x: Numbers, y: Numbers, t?: Numbers | null, p?: Numbers | null, id?: unknown}} StrokeColumns */
/** @typedef {ReadonlyArray<Numbers> | StrokeColumns} StrokeLike points of two to four numbers, or a list a channel */
/** @typedef {ReadonlyArray<StrokeLike> | {strokes: unknown} | {strokeGroups: unknown}} InkLike */
/** @typedef {{x: Float64Array, y: Float64Array}} Stroke the points between pen-down and pen-up; y grows downwards */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

const CHANNELS = /** @type {const} */ (['x', 'y', 't', 'p']);
const WANTED =
  'no strokes found; give a list of [x, y] points for each stroke, such as [[[0, 0], [4, 9]], [[7, 2], [7, 5]]], or the stroke '
  + 'shapes of Mathpix or MyScript';

/**
 * The strokes of an ink; refused where it is malformed or too large.
 * @param {unknown} value
 * @returns {Stroke[]}
 */
export function readInk(value) {
  const values = strokeValues(value);
  if (values.length > MAX_INK_STROKES) tooLarge(`${values.length} strokes; the limit is ${MAX_INK_STROKES}`);
  if (!values.length) throw new InkscanError('NoStrokes', 'the ink has no strokes, so there is nothing to recognise');
  refuseErasers(values);
  const strokes = values.map(readStroke);
  const points = strokes.reduce((sum, stroke) => sum + stroke.x.length, 0);
  if (points > MAX_INK_POINTS) tooLarge(`${points} points; the limit is ${MAX_INK_POINTS}`);
  return strokes;
}

/**
 * The bounding box of some strokes.
 * @param {readonly Stroke[]} strokes at least one
 * @returns {Box}
 */
export function boxOf(strokes) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of strokes) {
    for (let i = 0; i < x.length; i += 1) {
      box.left = Math.min(box.left, x[i]);
      box.right = Math.max(box.right, x[i]);
      box.top = Math.min(box.top, y[i]);
      box.bottom = Math.max(box.bottom, y[i]);
    }
  }
  return box;
}

/** @param {unknown} value @returns {unknown[]} */
function strokeValues(value) {
  if (isObject(value) && Array.isArray(value.strokeGroups)) return value.strokeGroups.flatMap(strokesIn);
  return strokesIn(value);
}

/** @param {unknown} value @returns {unknown[]} */
function strokesIn(value) {
  let inner = value;
  if (isObject(inner)) {
    inner = inner.strokes;
    if (isObject(inner)) inner = 'strokes' in inner ? inner.strokes : inner;
    if (isObject(inner)) return fromColumns(inner);
  }
  return Array.isArray(inner) ? inner : malformed(WANTED);
}

/** @param {readonly unknown[]} values */
function refuseErasers(values) {
  const isEraser = (/** @type {unknown} */ value) => isObject(value) && String(value.pointerType).toUpperCase() === 'ERASER';
  const at = values.findIndex(isEraser);
  if (at >= 0) malformed(`an eraser's strokes (pointerType ERASER) are no ink: stroke ${at + 1}; give the strokes that are left when it has erased`);
}

/** Mathpix's shape: each channel has a list a stroke. @param {Record<string, unknown>} value @returns {unknown[]} */
function fromColumns(value) {
  const channels = CHANNELS.filter((name) => value[name] !== undefined && value[name] !== null);
  const columns = channels.map((name) => value[name]);
  const isWhole = channels.includes('x') && channels.includes('y') && columns.every(Array.isArray);
  if (!isWhole) return malformed(WANTED);
  const lists = /** @type {unknown[][]} */ (columns);
  if (new Set(lists.map((list) => list.length)).size !== 1) return malformed(WANTED);
  return lists[0].map((_, i) => Object.fromEntries(channels.map((name, c) => [name, lists[c][i]])));
}

/** @param {unknown} value @returns {Stroke} */
function readStroke(value) {
  const stroke = isObject(value) ? fromChannels(value) : fromPoints(listed(value));
  if (!stroke.x.length) malformed('a stroke needs at least one point of two coordinates');
  for (const axis of [stroke.x, stroke.y]) {
    for (const at of axis) {
      if (!(Math.abs(at) <= MAX_COORDINATE)) {
        throw new InkscanError('BadCoordinate', `coordinates must be finite and at most ${MAX_COORDINATE} in size`);
      }
    }
  }
  return stroke;
}

/** @param {Record<string, unknown>} value @returns {Stroke} */
function fromChannels(value) {
  const [x, y] = [numbers(listed(value.x)), numbers(listed(value.y))];
  if (x.length !== y.length) malformed(`a stroke has ${x.length} x and ${y.length} y values`);
  for (const [name, what] of [['t', 'time'], ['p', 'pressure']]) {
    if (isEmpty(value[name])) continue;
    const channel = numbers(listed(value[name]));
    if (channel.length !== x.length) malformed(`a stroke's ${what} needs one value for each point`);
    refuseInfinite(channel, what);
  }
  return { x, y };
}

/** @param {ArrayLike<unknown>} points @returns {Stroke} */
function fromPoints(points) {
  const lists = Array.from(points, (point) => (isList(point) ? point : null));
  if (!lists.length || lists.includes(null)) malformed('a stroke has no points, or its points are not lists of numbers');
  const rows = /** @type {ArrayLike<unknown>[]} */ (lists);
  const count = rows[0].length;
  if (rows.some((row) => row.length !== count)) {
    malformed('the points of a stroke do not all have the same number of values');
  }
  if (count < 2 || count > 4) {
    malformed(`a point is x, y and perhaps time and pressure: 2 to 4 numbers, not ${count}`);
  }
  const columns = Array.from({ length: count }, (_, c) => numbers(rows.map((row) => row[c])));
  columns.slice(2).forEach((channel, c) => refuseInfinite(channel, c ? 'pressure' : 'time'));
  return { x: columns[0], y: columns[1] };
}

/** @param {ArrayLike<unknown>} values */
function numbers(values) {
  for (let i = 0; i < values.length; i += 1) {
    if (typeof values[i] !== 'number') malformed('a coordinate is not a number');
  }
  return Float64Array.from(/** @type {ArrayLike<number>} */ (values));
}

/** @param {Float64Array} channel @param {string} what */
function refuseInfinite(channel, what) {
  if (!channel.every(Number.isFinite)) throw new InkscanError('BadCoordinate', `a stroke's ${what} must be finite`);
}

/** @param {unknown} value @returns {ArrayLike<unknown>} */
function listed(value) {
  if (!isList(value)) return malformed(WANTED);
  if (value.length > MAX_INK_POINTS) tooLarge(`a stroke of ${value.length} points; the limit is ${MAX_INK_POINTS}`);
  return value;
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
function isList(value) {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** @param {string} message @returns {never} */
function malformed(message) {
  throw new InkscanError('MalformedInk', message);
}

/** @param {string} message @returns {never} */
function tooLarge(message) {
  throw new InkscanError('InkTooLarge', message);
}
