// Fractions that are still being written. The model's grammar has no fraction without a denominator, so it invents one; where no
// ink lies on that side of the bar, the page leaves the place open instead.

import { boxOf } from './ink.js';
import { placesOf } from './latex.js';

/** The reply with open places for the parts of fractions that no stroke was written for. */
export function withoutInventions(reply, strokes) {
  const parts = openParts(reply, strokes);
  if (!parts.length) return reply;
  const ranges = parts.map((part) => rangeOf(reply.tokens, part));
  const isGone = (i) => ranges.some(([from, to]) => from <= i && i < to);
  const places = reply.tokens.flatMap((_, i) => (isGone(i) ? [] : [i]));
  const kept = reply.symbols.filter(({ index }) => !isGone(index));
  const orphans = reply.symbols.filter(({ index }) => isGone(index)).flatMap((symbol) => symbol.strokes);
  return {
    ...reply,
    ...opened(reply, parts),
    whole: { tokens: reply.tokens, places, parts }, // what `filled` and `opened` need
    alternatives: openedReadings(reply.alternatives ?? [], parts),
    symbols: adopted(kept, orphans, strokes).map((symbol) => ({ ...symbol, index: places.indexOf(symbol.index) })),
    ...(reply.alignment ? { alignment: places.map((i) => reply.alignment[i]) } : {}),
  };
}

/** A formula {latex, tokens, mathml} with these parts of its fractions left open. */
export function opened(formula, parts) {
  const ranges = parts.map((part) => rangeOf(formula.tokens, part)).filter(Boolean);
  const begins = placesOf(formula.tokens, formula.latex);
  const isGone = (i) => ranges.some(([from, to]) => from <= i && i < to);
  const isCut = (at) => ranges.some(([from, to]) => begins[from - 1] < at && at < begins[to]);
  return {
    tokens: formula.tokens.filter((_, i) => !isGone(i)),
    latex: formula.latex.split('').filter((_, at) => !isCut(at)).join(''),
    ...(formula.mathml ? { mathml: openedMathml(formula.mathml, parts) } : {}),
  };
}

/** Tokens of an opened answer with what was left out in its place again, for a server that wants whole fractions. */
export function filled(answer, tokens) {
  if (!answer.whole) return tokens;
  const whole = [...answer.whole.tokens];
  answer.whole.places.forEach((place, i) => { whole[place] = tokens[i]; });
  return whole;
}

/** [{fraction, side}] for each side (0 above, 1 below) of the n-th fraction that has no ink. */
function openParts({ tokens, symbols = [] }, strokes) {
  const fractions = tokens.flatMap((token, i) => (token === '\\frac' ? [i] : []));
  return fractions.flatMap((index, fraction) => {
    const bar = symbols.find((symbol) => symbol.index === index);
    if (!bar?.strokes.length) return [];
    const { left, top, right, bottom } = boxOf(...bar.strokes.map((i) => strokes[i]));
    const middle = (top + bottom) / 2;
    const isBeside = (box) => box.right < left || box.left > right;
    return [0, 1].filter((side) => {
      const [from, to] = rangeOf(tokens, { fraction, side });
      const ink = symbols.filter((symbol) => from <= symbol.index && symbol.index < to).flatMap((symbol) => symbol.strokes);
      return !ink.some((i) => (middleOf(strokes[i]) > middle) === (side === 1) && !isBeside(boxOf(strokes[i])));
    }).map((side) => ({ fraction, side }));
  });
}

const middleOf = (stroke) => { const { top, bottom } = boxOf(stroke); return (top + bottom) / 2; };

/** Where the tokens inside the braces of a fraction's side begin and end; null without that fraction. */
function rangeOf(tokens, { fraction, side }) {
  let at = tokens.flatMap((token, i) => (token === '\\frac' ? [i] : []))[fraction];
  if (at === undefined) return null;
  for (let group = 0; ; group += 1) {
    const from = at + 2;
    at = from;
    for (let depth = 1; ; at += 1) {
      if (tokens[at] === '{') depth += 1;
      if (tokens[at] === '}') depth -= 1;
      if (!depth || at >= tokens.length) break;
    }
    if (group === side) return [from, at];
  }
}

function openedMathml(mathml, parts) {
  const xml = new DOMParser().parseFromString(mathml, 'application/xml');
  const fractions = fractionsIn(xml.documentElement);
  for (const { fraction, side } of parts) {
    fractions[fraction]?.children[side].replaceWith(xml.createElementNS(xml.documentElement.namespaceURI, 'mrow'));
  }
  return new XMLSerializer().serializeToString(xml);
}

/** In the order of the tokens: the index of a root comes before its inside. */
function fractionsIn(element) {
  const children = [...element.children];
  const inside = (element.localName === 'mroot' ? children.reverse() : children).flatMap(fractionsIn);
  return element.localName === 'mfrac' && !element.hasAttribute('linethickness') ? [element, ...inside] : inside;
}

/** Readings that differ only in what was invented are one. */
function openedReadings(readings, parts) {
  const found = new Map();
  for (const reading of readings) {
    const next = { ...reading, ...opened(reading, parts) };
    const same = found.get(next.latex);
    if (same) same.probability += next.probability;
    else found.set(next.latex, next);
  }
  return [...found.values()];
}

/** The strokes that an invented symbol had taken go to the symbol nearest to them. */
function adopted(symbols, orphans, strokes) {
  const family = symbols.map((symbol) => [...symbol.strokes]);
  for (const orphan of orphans) {
    const distances = symbols.map(({ token, strokes: own }) =>
      (token === '\\frac' || !own.length ? Infinity : gap(boxOf(strokes[orphan]), boxOf(...own.map((i) => strokes[i])))));
    const nearest = distances.indexOf(Math.min(...distances));
    if (Number.isFinite(distances[nearest])) family[nearest].push(orphan);
  }
  return symbols.map((symbol, i) => ({ ...symbol, strokes: family[i] }));
}

const gap = (a, b) => Math.hypot(
  Math.max(0, a.left - b.right, b.left - a.right),
  Math.max(0, a.top - b.bottom, b.top - a.bottom),
);
