// Standing: an answer whose dots or roots stand elsewhere than it says is mended. Every point of the ink that the networks
// learnt from stands between digits, so they take one between letters for a raised dot, however low it stands; and they
// put what follows a root under its bar too often. A person sees both at once.

import { boxOf } from './ink.js';
import { CLOSING, EXTENTS, LOW, OPENING, OPERATORS, OVERHANG, RELATIONS, ROOT, SCRIPTS } from './tables.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./ink.js').Box} Box */
/** @typedef {import('./beam.js').Found} Found */
/** @typedef {readonly (readonly number[])[]} Groups the strokes of each token */
/** @typedef {[first: number, last: number]} Span a symbol's place on its row, and the place after its arguments and scripts */
/** @typedef {{tokens: string[], order: number[]}} Mended an answer as its symbols stand, and where each token was before */

/**
 * The best hypothesis as its symbols stand; as it was found it is an alternative, with nats against it.
 * @param {Found} found
 * @param {Mended} mended
 * @param {readonly string[]} vocabulary
 * @param {import('./search.js').SearchSettings} settings
 * @returns {Found}
 */
export function withStanding({ hypotheses }, { tokens, order }, vocabulary, { standing, length_power: power }) {
  const [best, ...others] = hypotheses;
  const { logProbs } = best;
  const answer = {
    ...best,
    tokens: tokens.map((token) => vocabulary.indexOf(token)),
    logProbs: [...order.map((at) => logProbs[at]), logProbs[logProbs.length - 1]],
    alphas: order.map((at) => best.alphas[at]),
  };
  const doubted = {
    ...best,
    logProbs: logProbs.map((value, at) => (at === logProbs.length - 1 ? value - standing : value)),
    score: best.score - standing / logProbs.length ** power,
  };
  const rivals = [doubted, ...others]
    .filter((rival) => String(rival.tokens) !== String(answer.tokens))
    .sort((a, b) => b.score - a.score);
  return { hypotheses: [answer, ...rivals] };
}

/**
 * The answer as the places of its symbols tell, null where it stands as it says.
 * @param {readonly Stroke[]} ink
 * @param {readonly string[]} tokens
 * @param {Groups} groups
 * @param {(label: string) => boolean} allows
 * @returns {Mended | null}
 */
export function asItStands(ink, tokens, groups, allows = () => true) {
  const raised = new Set([...LOW].flatMap(([high, { point }]) => (allows(point) ? [high] : [])));
  if (!tokens.some((token) => raised.has(token) || token === ROOT)) return null;
  const order = withoutOverhang(ink, tokens, groups);
  const lowered = withPoints(ink, order.map((at) => tokens[at]), order.map((at) => groups[at]), raised);
  return lowered.every((token, at) => token === tokens[at]) ? null : { tokens: lowered, order };
}

/**
 * The places of the tokens, in an order that leaves under no root what begins well beyond the end of its bar.
 * @param {readonly Stroke[]} ink
 * @param {readonly string[]} tokens
 * @param {Groups} groups
 */
function withoutOverhang(ink, tokens, groups) {
  const order = [...tokens.keys()];
  for (let root = tokens.length - 1; root >= 0; root -= 1) { // inner ones first
    if (tokens[root] !== ROOT) continue;
    const now = order.map((at) => tokens[at]);
    const closing = closingOf(now);
    const closeOf = (/** @type {number} */ opening) => /** @type {number} */ (closing.get(opening));
    const opening = now[root + 1] === '[' ? closeOf(root + 1) + 1 : root + 1;
    const close = closeOf(opening);
    // What left such a root would take its script along, or close the index.
    if (!groups[root].length || SCRIPTS.has(now[close + 1]) || isInAnIndex(now, closing, root)) continue;
    const end = boxAround(ink, groups[root]).right;
    const spans = spansOf(now, closing, opening + 1, close);
    const lefts = spans.map(([first, last]) => leftOf(ink, order.slice(first, last).flatMap((at) => groups[at])));
    const under = lefts.findLastIndex((left) => left <= end) + 1;
    if (isWhole(spans.slice(0, under).map(([first]) => now[first])) && under <= spans.length - OVERHANG) {
      const [moved] = order.splice(close, 1);
      order.splice(spans[under][0], 0, moved);
    }
  }
  return order;
}

/** @param {readonly string[]} tokens @param {ReadonlyMap<number, number>} closing @param {number} at */
const isInAnIndex = (tokens, closing, at) => (
  [...closing].some(([opening, close]) => tokens[opening] === '[' && opening < at && at < close)
);

/** Whether these may be all that stands under a root: something, no open bracket, no sign that waits for more. @param {readonly string[]} symbols */
function isWhole(symbols) {
  const last = symbols[symbols.length - 1];
  const count = symbols.reduce((sum, symbol) => sum + Number(OPENING.has(symbol)) - Number(CLOSING.has(symbol)), 0);
  return symbols.length > 0 && count === 0 && !OPERATORS.has(last) && !RELATIONS.has(last);
}

/**
 * The tokens with points for raised dots that stand on the line.
 * @param {readonly Stroke[]} ink
 * @param {readonly string[]} tokens
 * @param {Groups} groups
 * @param {ReadonlySet<string>} raised
 */
function withPoints(ink, tokens, groups, raised) {
  const found = [...tokens];
  const closing = closingOf(tokens);
  for (const [first, last] of [[0, tokens.length], ...[...closing].map(([open, close]) => [open + 1, close])]) {
    const symbols = spansOf(tokens, closing, first, last).map(([at]) => at);
    symbols.forEach((at, place) => {
      const low = LOW.get(tokens[at]);
      if (!low || !raised.has(tokens[at]) || !groups[at].length) return;
      const dots = boxAround(ink, groups[at]);
      const heights = [symbols[place - 1], symbols[place + 1]]
        .filter((beside) => beside !== undefined && groups[beside].length)
        .flatMap((beside) => heightAbove(tokens[beside], boxAround(ink, groups[beside]), dots));
      const sum = heights.reduce((a, b) => a + b, 0);
      if (heights.length && sum / heights.length < low.height) found[at] = low.point;
    });
  }
  return found;
}

/**
 * How high dots stand above the line of a symbol, in its x-heights; nothing if it does not tell where its line is.
 * @param {string} token
 * @param {Box} box
 * @param {Box} dots
 * @returns {number[]}
 */
function heightAbove(token, box, dots) {
  const usual = EXTENTS.get(token);
  const height = box.bottom - box.top;
  if (!usual || height <= 0) return [];
  const [top, bottom] = usual;
  return [(box.bottom - (dots.top + dots.bottom) / 2) / (height / (top - bottom)) + bottom];
}

/** Where some strokes begin. @param {readonly Stroke[]} ink @param {readonly number[]} strokes */
const leftOf = (ink, strokes) => (strokes.length ? boxAround(ink, strokes).left : -Infinity);

/** @param {readonly Stroke[]} ink @param {readonly number[]} strokes */
const boxAround = (ink, strokes) => boxOf(strokes.map((stroke) => ink[stroke]));

/** Where each group that opens is closed: braces, and the brackets of a root's index. @param {readonly string[]} tokens */
function closingOf(tokens) {
  /** @type {Map<number, number>} */
  const closing = new Map();
  /** @type {number[]} */
  const opened = [];
  tokens.forEach((token, at) => {
    const opening = opened[opened.length - 1];
    if (token === '{' || (token === '[' && tokens[at - 1] === ROOT)) {
      opened.push(at);
    } else if (opening !== undefined && token === (tokens[opening] === '{' ? '}' : ']')) {
      closing.set(opening, at);
      opened.pop();
    }
  });
  return closing;
}

/**
 * The symbols of a row, each with its arguments and scripts.
 * @param {readonly string[]} tokens
 * @param {ReadonlyMap<number, number>} closing
 * @param {number} first
 * @param {number} last
 * @returns {Span[]}
 */
function spansOf(tokens, closing, first, last) {
  /** @type {Span[]} */
  const spans = [];
  for (let at = first; at < last;) {
    let after = at + 1;
    while (after < last && (closing.has(after) || SCRIPTS.has(tokens[after]))) after = (closing.get(after) ?? after) + 1;
    spans.push([at, after]);
    at = after;
  }
  return spans;
}
