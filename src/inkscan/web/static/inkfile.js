// Ink files in the browser: all formats that the server reads in, InkML out. Works without the server.

import { newStroke } from './ink.js';

const NAMESPACE = 'http://www.w3.org/2003/InkML';
const MAX_POINTS = 50_000;
const REFERENCES = new Map([
  ['definitions', []],
  ['inkSource', []],
  ['context', ['contextRef', 'inkSourceRef', 'traceFormatRef']],
  ['traceGroup', ['contextRef']],
]); // of the elements of InkML that hold others: how they refer to formats
const FORMATS = [
  { name: 'InkML', files: ['.inkml', '.xml'], begins: /^</, read: readInkml },
  { name: 'JSON with strokes', files: ['.json', 'application/json'], begins: /^[{[]/, read: readJson },
  { name: 'SCGINK', files: ['.scgink'], begins: /^SCG_INK\b/, read: readScgink },
];

/** What a file chooser is to offer. */
export const INK_FILES = FORMATS.flatMap(({ files }) => files).join();

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

function readInkml(text) {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('The file declares a document type, which ink does not need.');
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror')) throw new Error('The XML is broken or cut short.');
  if (xml.documentElement.localName !== 'ink') throw new Error('This XML is not InkML.');
  const format = [{ name: 'X', scale: 1 }, { name: 'Y', scale: 1 }];
  const reader = { strokes: [], named: new Map(), formats: new Map([['DefaultContext', format]]), format };
  walk(xml.documentElement, reader);
  return reader.strokes;
}

/**
 * As the server reads InkML: a format holds until the next, or in the group or trace that refers to it; what is defined
 * holds for those alone that refer to it.
 */
function walk(parent, reader) {
  for (const element of parent.children) {
    const kind = element.localName;
    const current = reader.format;
    if (kind === 'trace') addTrace(element, reader);
    else if (kind === 'traceFormat') {
      const channels = [...element.getElementsByTagNameNS('*', 'channel')].map(channelOf);
      if (channels.length) reader.format = channels;
    } else {
      if (kind === 'canvasTransform') throw new Error('The file moves its ink by a canvasTransform, which this page does not read.');
      for (const name of REFERENCES.get(kind) ?? []) reader.format = formatOf(element, name, reader);
    }
    if (REFERENCES.has(kind)) walk(element, reader);
    if (['context', 'inkSource', 'traceFormat'].includes(kind)) reader.formats.set(idOf(element), reader.format);
    if (kind === 'traceGroup' || parent.localName === 'definitions') reader.format = current;
  }
}

const idOf = (element) => element.getAttribute('xml:id') || element.getAttribute('id') || element; // never an empty name

/** What an attribute names: the whole of it, or what follows its last `#`. */
function referred(element, name, known) {
  const reference = element.getAttribute(name) ?? '';
  return known.get(reference) ?? known.get(reference.split('#').at(-1));
}

/** The format that an attribute names, or the one at hand. */
function formatOf(element, name, reader) {
  if (!element.getAttribute(name)) return reader.format;
  const format = referred(element, name, reader.formats);
  if (!format) throw new Error(`The file refers to ${element.getAttribute(name)} before it defines it, which this page does not read.`);
  return format;
}

function channelOf(element) {
  const name = element.getAttribute('name');
  const milliseconds = name === 'T' ? { s: 1e3, us: 1e-3 }[element.getAttribute('units')] ?? 1 : 1;
  const isTurned = ['X', 'Y'].includes(name) && element.getAttribute('orientation') === '-ve';
  return { name, scale: isTurned ? -1 : milliseconds };
}

function addTrace(element, reader) {
  const content = element.textContent.trim().replace(/,$/, '');
  if (!content || element.getAttribute('type') === 'penUp') return;
  if (/['"!*?]/.test(content)) throw new Error('The file codes its points as differences, which this page does not read.');
  const stroke = strokeOf(rows(content), formatOf(element, 'contextRef', reader));
  const isMore = ['middle', 'end'].includes(element.getAttribute('continuation'));
  const prior = isMore ? referred(element, 'priorRef', reader.named) : null;
  if (prior) append(prior, stroke);
  else reader.strokes.push(stroke);
  reader.named.set(idOf(element), prior ?? stroke);
}

/** The pieces of a stroke keep the channels that both have. */
function append(stroke, piece) {
  for (const name of ['x', 'y', 't', 'p']) {
    if (stroke[name].length && piece[name].length) piece[name].forEach((value) => stroke[name].push(value));
    else stroke[name] = [];
  }
}

function rows(content) {
  const first = content.split(',')[0].trim().split(/\s+/);
  const commaBetweenValues = first.length === 1; // "x,y x,y" instead of "x y, x y"
  const points = commaBetweenValues
    ? content.replace(/\s*,\s*/g, ',').split(/\s+/)
    : content.split(',');
  return points.map((point) => point.trim().split(commaBetweenValues ? ',' : /\s+/).map(Number));
}

function strokeOf(points, channels) {
  if (points.some((point) => point.length > channels.length)) throw new Error('A point in the file has more values than its format has channels.');
  const column = (name) => {
    const at = channels.findIndex((channel) => channel.name === name);
    if (at < 0 || points.some((point) => point.length <= at)) return [];
    return points.map((point) => point[at] * channels[at].scale);
  };
  return newStroke(column('X'), column('Y'), column('T'), column('F'));
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
