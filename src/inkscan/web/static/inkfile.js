// Ink files in the browser: all formats that the server reads in, InkML out. Works without the server.

import { newStroke } from './ink.js';
import { readInkml } from './inkml.js';

const NAMESPACE = 'http://www.w3.org/2003/InkML';
const MAX_POINTS = 50_000;
const FORMATS = [
  { name: 'InkML', files: ['.inkml', '.xml'], begins: /^</, read: readInkml },
  { name: 'JSON with strokes', files: ['.json', 'application/json'], begins: /^[{[]/, read: readJson },
  { name: 'SCGINK', files: ['.scgink'], begins: /^SCG_INK\b/, read: readScgink },
];

const ENCODINGS = [
  { mark: '\xef\xbb\xbf', encoding: 'utf-8' },
  { mark: '\xff\xfe', encoding: 'utf-16le' },
  { mark: '\xfe\xff', encoding: 'utf-16be' },
]; // in Latin-1, as the start of a file is looked at

/** What a file chooser is to offer. */
export const INK_FILES = FORMATS.flatMap(({ files }) => files).join();

/** The text of a file, by its byte-order mark, by its XML declaration or in UTF-8; undeclared Latin-1 occurs in CROHME. */
export function textOf(buffer) {
  const start = new TextDecoder('latin1').decode(buffer.slice(0, 200));
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1];
  const marked = ENCODINGS.find(({ mark }) => start.startsWith(mark))?.encoding;
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true }).decode(buffer);
  } catch {
    if (!marked && !declared) return new TextDecoder('latin1').decode(buffer);
    throw new Error(`The file is not valid ${marked ?? declared}; save it as UTF-8.`);
  }
}

/** Strokes of the text of an ink file; throws an Error whose message can be shown. */
export function readInk(text) {
  const content = text.trimStart();
  const format = FORMATS.find(({ begins }) => begins.test(content));
  if (!format) throw new Error(`This is none of the formats of ink that are read: ${FORMATS.map(({ name }) => name).join(', ')}.`);
  const strokes = format.read(content);
  const points = strokes.reduce((sum, stroke) => sum + stroke.x.length, 0);
  if (!points) throw new Error('The file has no strokes.');
  if (points > MAX_POINTS) throw new Error(`The file has ${points} points; one formula has at most ${MAX_POINTS}.`);
  for (const { x, y, t, p } of strokes) {
    if (!x.length) throw new Error('A stroke in the file has no points.');
    if (x.length !== y.length || ![...x, ...y].every((v) => Number.isFinite(v) && Math.abs(v) <= 1e9)) {
      throw new Error('A coordinate in the file is not a number.');
    }
    if (![t, p].every((channel) => [0, x.length].includes(channel.length) && channel.every(Number.isFinite))) {
      throw new Error('A time or pressure in the file is missing or not a number.');
    }
  }
  return strokes;
}

function readJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The JSON is broken or cut short.');
  }
  return strokesIn(value);
}

function strokesIn(value) {
  if (value?.strokeGroups) return value.strokeGroups.flatMap(strokesIn);
  let strokes = Array.isArray(value) ? value : value?.strokes;
  if (strokes?.strokes) strokes = strokes.strokes;
  if (strokes?.x && strokes?.y) {
    const { x, y, t, p } = strokes;
    strokes = x.map((_, i) => ({ x: x[i], y: y[i], t: t?.[i], p: p?.[i] }));
  }
  if (!Array.isArray(strokes)) throw new Error('No strokes were found in this JSON.');
  if (strokes.some((stroke) => String(stroke?.pointerType).toUpperCase() === 'ERASER')) throw new Error("An eraser's strokes in the file are no ink.");
  return strokes.map((stroke) =>
    Array.isArray(stroke)
      ? newStroke(...[0, 1, 2, 3].map((i) => (i < 2 || stroke[0]?.length > i ? stroke.map((point) => point?.[i]) : [])))
      : newStroke(stroke?.x ?? [], stroke?.y ?? [], stroke?.t ?? [], stroke?.p ?? []));
}

/** The number of strokes, then of each the number of its points and the points. */
function readScgink(text) {
  const [count, ...numbers] = text.trim().split(/\s+/).slice(1).map(Number);
  const strokes = [];
  let at = 0;
  while (strokes.length < Math.trunc(count)) {
    const end = at + 1 + 2 * Math.trunc(numbers[at]);
    if (!(end > at + 1 && end <= numbers.length)) throw new Error(`The file is cut short, or the point count of stroke ${strokes.length + 1} is wrong.`);
    const column = (first) => numbers.slice(at + 1, end).filter((_, i) => i % 2 === first);
    strokes.push(newStroke(column(0), column(1)));
    at = end;
  }
  if (at < numbers.length) throw new Error('The file has more points than its counts say.');
  return strokes;
}

/** InkML of strokes, with the LaTeX as their truth if there is one. */
export function toInkml(strokes, latex = '') {
  const xml = document.implementation.createDocument(NAMESPACE, 'ink');
  const add = (parent, name, attributes, content = '') => {
    const element = xml.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = content;
    parent.append('\n', element);
    return element;
  };
  const withTime = strokes.every(({ x, t }) => t.length === x.length);
  const withForce = strokes.every(({ x, p }) => p.length === x.length);
  const channels = ['X', 'Y', ...(withTime ? ['T'] : []), ...(withForce ? ['F'] : [])];
  const format = add(xml.documentElement, 'traceFormat', {});
  for (const name of channels) {
    add(format, 'channel', { name, type: 'decimal', ...(name === 'T' ? { units: 'ms' } : {}) });
  }
  if (latex) add(xml.documentElement, 'annotation', { type: 'truth' }, `$${latex}$`);
  strokes.forEach((stroke, number) => {
    const points = stroke.x.map((x, i) =>
      [x, stroke.y[i], ...(withTime ? [stroke.t[i]] : []), ...(withForce ? [stroke.p[i]] : [])].join(' '));
    add(xml.documentElement, 'trace', { id: number }, points.join(', '));
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(xml)}\n`;
}
