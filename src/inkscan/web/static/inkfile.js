// Ink files in the browser: InkML and JSON in, InkML out. Works without the server.

import { newStroke } from './ink.js';

const NAMESPACE = 'http://www.w3.org/2003/InkML';
const MAX_POINTS = 50_000;

/** Strokes of an InkML or JSON text; throws an Error whose message can be shown. */
export function readInk(text) {
  const head = text.trimStart()[0];
  const strokes = head === '<' ? readInkml(text) : head === '{' || head === '[' ? readJson(text) : null;
  if (!strokes) throw new Error('This is neither InkML nor JSON with strokes.');
  const points = strokes.reduce((sum, stroke) => sum + stroke.x.length, 0);
  if (!points) throw new Error('The file has no strokes.');
  if (points > MAX_POINTS) throw new Error(`The file has ${points} points; one formula has at most ${MAX_POINTS}.`);
  for (const { x, y } of strokes) {
    if (x.length !== y.length || ![...x, ...y].every((v) => Number.isFinite(v) && Math.abs(v) <= 1e9)) {
      throw new Error('A coordinate in the file is not a number.');
    }
  }
  return strokes;
}

function readInkml(text) {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('The file declares a document type, which ink does not need.');
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror')) throw new Error('The XML is broken or cut short.');
  if (xml.documentElement.localName !== 'ink') throw new Error('This XML is not InkML.');
  const channels = [...xml.querySelectorAll('traceFormat')].slice(0, 1)
    .flatMap((format) => [...format.querySelectorAll('channel')].map((c) => c.getAttribute('name')));
  const names = channels.length ? channels : ['X', 'Y'];
  return [...xml.querySelectorAll('trace')].map((trace) => trace.textContent.trim().replace(/,$/, ''))
    .filter(Boolean).map((content) => strokeOf(rows(content), names));
}

function rows(content) {
  const first = content.split(',')[0].trim().split(/\s+/);
  const commaBetweenValues = first.length === 1; // "x,y x,y" instead of "x y, x y"
  const points = commaBetweenValues
    ? content.replace(/\s*,\s*/g, ',').split(/\s+/)
    : content.split(',');
  return points.map((point) => point.trim().split(commaBetweenValues ? ',' : /\s+/).map(Number));
}

function strokeOf(points, names) {
  const column = (name) => {
    const at = names.indexOf(name);
    return at < 0 || points.some((point) => point.length <= at) ? [] : points.map((point) => point[at]);
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
    strokes = strokes.x.map((x, i) => ({ x, y: strokes.y[i] }));
  }
  if (!Array.isArray(strokes)) throw new Error('No strokes were found in this JSON.');
  return strokes.map((stroke) =>
    Array.isArray(stroke)
      ? newStroke(stroke.map((p) => p?.[0]), stroke.map((p) => p?.[1]))
      : newStroke(stroke?.x ?? [], stroke?.y ?? [], stroke?.t ?? [], stroke?.p ?? []));
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
