// The points of InkML traces: channels, units, the canvas, delimiters and difference coding; as the server reads them.

import { newStroke } from './ink.js';

const MILLISECONDS = new Map([['s', 1e3], ['us', 1e-3]]);
const MILLIMETRES = new Map([['m', 1e3], ['cm', 10], ['mm', 1], ['in', 25.4], ['pt', 25.4 / 72], ['pc', 25.4 / 6]]);
const NUMBER = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?';
const WHOLE_NUMBER = new RegExp(`^${NUMBER}$`);
const VALUE = new RegExp(`([!'"]?)\\s*(?:(${NUMBER})|#([0-9A-Fa-f]{1,16})|([TF*?]))\\s*`, 'g');

/** {name, scale, length}: the scale brings it to our units and our downward y; the length is one in millimetres, 0 if that is not known. */
const channel = (name, scale = 1, length = 0) => ({ name, scale, length });

/** How traces are to be read: the channels of a point, and two rows that bring (x, y, 1) to the canvas, if it is not left as it is. */
export const PLAIN_FORMAT = { channels: [channel('X'), channel('Y')], canvas: null };

/** The channel that an element declares. */
export function channelOf(element) {
  const [name, units] = ['name', 'units'].map((attribute) => element.getAttribute(attribute) ?? '');
  const isTurned = ['X', 'Y'].includes(name) && element.getAttribute('orientation') === '-ve';
  const scale = name === 'T' ? MILLISECONDS.get(units) ?? 1 : 1;
  return channel(name, isTurned ? -scale : scale, MILLIMETRES.get(units) ?? 0);
}

/** The same channel, so many to a unit, such as 10 with `1/mm`; a number without a unit says nothing. */
export function withResolution(one, value, units) {
  const unit = MILLIMETRES.get(units.trim().replace(/^1\//, '')) ?? 0;
  const count = numberOf(value.trim());
  return count > 0 ? { ...one, length: unit / count } : one;
}

/** The first mapping of a canvasTransform, which leads from traces to the canvas. */
export function canvasOf(transform) {
  const mapping = [...transform.children].find(({ localName }) => localName === 'mapping');
  const kind = mapping ? mapping.getAttribute('type') ?? 'unknown' : 'identity';
  if (kind === 'identity') return null;
  if (kind !== 'affine') throw new Error(`The file has a canvasTransform of the type ${kind}; affine ones are read.`);
  const inner = [...mapping.children].find(({ localName }) => localName === 'affine') ?? mapping;
  const rows = ownText(inner).trim().split(',').map((row) => words(row).map(numberOf));
  if (String(rows.map(({ length }) => length)) !== '3,3' || !rows.flat().every(Number.isFinite)) {
    throw new Error('The affine canvasTransform in the file is not of two rows of three numbers.');
  }
  return rows;
}

/** The text of an element before its first child. */
export function ownText(element) {
  let text = '';
  for (const node of element.childNodes) {
    if (node.nodeType === Node.ELEMENT_NODE) break;
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) text += node.data;
  }
  return text;
}

/** A stroke of the values of its points, of which there is one; declared channels that are not there, or not known, are left out. */
export function strokeOf(values, { channels, canvas }) {
  const columns = new Map(channels.slice(0, values[0].length).map((one, i) => [one.name, i]));
  const [x, y] = [columns.get('X'), columns.get('Y')];
  if (x === undefined || y === undefined) throw new Error('The points of a trace hold no X and Y; look at its traceFormat.');
  const scales = channels.map(({ scale }) => scale);
  if (channels[x].length && channels[y].length) scales[y] *= channels[y].length / channels[x].length; // in the units of x
  const column = (i) => values.map((point) => point[i] * scales[i]);
  const known = (name) => {
    const found = columns.has(name) ? column(columns.get(name)) : [];
    return found.some(Number.isNaN) ? [] : found;
  };
  let places = [column(x), column(y)];
  if (canvas) places = canvas.map(([a, b, c]) => places[0].map((at, i) => a * at + b * places[1][i] + c));
  return newStroke(places[0], places[1], known('T'), known('F'));
}

/** One list of values a point, from `x y, x y`, from `x,y x,y` or from difference-coded points; a value marked as unknown is NaN. */
export function pointsOf(text, channels) {
  const content = text.trim().replace(/,+$/, '');
  if (!content) return [];
  // Signs may part values without a space, and channels may be boolean or hexadecimal.
  return (/['"!*?]/.test(content) ? null : plainPoints(content, channels)) ?? codedPoints(content, channels);
}

/** Null where a value is not a plain number. */
function plainPoints(text, channels) {
  const values = words(text.replaceAll(',', ' ')).map(numberOf);
  if (values.some(Number.isNaN)) return null;
  let width = words(text.split(',', 1)[0]).length;
  let count = text.split(',').length;
  if (width === 1) { // `x,y x,y`: the comma parts values and the space parts points
    const points = words(text.replace(/\s*,\s*/g, ','));
    [width, count] = [points[0].split(',').length, points.length];
  }
  if (values.length !== width * count) return evened(text.split(',').map((point) => words(point).map(numberOf)), channels);
  checkWidths(width, width, channels);
  return Array.from({ length: count }, (_, i) => values.slice(i * width, (i + 1) * width));
}

/** Values marked `'` (velocity), `"` (acceleration), `!` (explicit), `*` (as before) or `?` (unknown). */
function codedPoints(text, channels) {
  const codes = evened(text.split(',').map((point) => {
    const content = words(point).join(' ');
    const found = [...content.matchAll(VALUE)];
    if (found.reduce((sum, { 0: whole }) => sum + whole.length, 0) !== content.length) {
      throw new Error(`A trace in the file holds "${content.replace(VALUE, '').trim().slice(0, 20)}", which is not a number.`);
    }
    return found;
  }), channels);
  const columns = codes[0].map((_, i) => decoded(codes.map((point) => point[i])));
  if (columns.some((column, i) => ['X', 'Y'].includes(channels[i].name) && column.some(Number.isNaN))) {
    throw new Error('A trace in the file holds a place that is marked as unknown (?).');
  }
  return codes.map((_, i) => columns.map((column) => column[i]));
}

/** The values of one channel. */
function decoded(codes) {
  let [mode, value, velocity] = ['!', 0, 0];
  return codes.map(([, prefix, number, hexadecimal, sign]) => {
    mode = prefix || mode;
    if (sign === '?') value = NaN; // and so is what is told by its difference to it
    else if (sign === '*') value += mode === '!' ? 0 : velocity;
    else {
      const coded = sign ? Number(sign === 'T') : Number(number ?? `0x${hexadecimal}`);
      velocity = mode === '!' ? 0 : coded + (mode === '"' ? velocity : 0);
      value = mode === '!' ? coded : value + velocity;
    }
    return value;
  });
}

/** Points that do not all have the same number of values keep those that all of them have. */
function evened(points, channels) {
  const [least, most] = points.reduce(([low, high], { length }) => [Math.min(low, length), Math.max(high, length)], [Infinity, 0]);
  checkWidths(least, most, channels);
  return points.map((point) => point.slice(0, least));
}

function checkWidths(least, most, channels) {
  if (least < 2) throw new Error('A point in the file has fewer than two values.');
  if (most > channels.length) throw new Error('A point in the file has more values than its format has channels.');
}

const words = (text) => text.split(/\s+/).filter(Boolean);
const numberOf = (word) => (WHOLE_NUMBER.test(word) ? Number(word) : NaN);
