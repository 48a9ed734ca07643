// What the page knows of LaTeX text.

import { RELATIONS } from './characters.js';

/** Tokens that no stroke writes. */
export const STRUCTURE = new Set(['{', '}', '^', '_', '\\limits']);

/** Whether formulas differ in single symbols only: their braces, scripts, and what takes braces stand in the same places. */
export const haveOneShape = (tokens, others) => shapeOf(tokens) === shapeOf(others);

const shapeOf = (tokens) => tokens.map((token, i) => {
  const isOfIndex = (token === '[' && tokens[i - 1] === '\\sqrt') || (token === ']' && tokens[i + 1] === '{');
  if (STRUCTURE.has(token) || isOfIndex) return token;
  return tokens[i + 1] === '{' ? 'compound' : 'symbol';
}).join(' ');

/** Where each token begins in the LaTeX, which has spaces between some of them. */
export function placesOf(tokens, latex) {
  let end = 0;
  return tokens.map((token) => {
    const begin = latex.indexOf(token, end);
    end = begin + token.length;
    return begin;
  });
}

/** Formulas {latex, tokens} one below the other, aligned at their first relation signs; one without begins there. */
export function aligned(formulas) {
  const rows = formulas.map(({ latex, tokens }) => {
    const at = relationPlace(latex, tokens);
    return at < 0 ? `&${latex}` : `${latex.slice(0, at).trimEnd()} &${latex.slice(at)}`.trimStart();
  });
  return `\\begin{aligned}\n${rows.join(' \\\\\n')}\n\\end{aligned}`;
}

/** Where the first relation that stands in no group begins; -1 for none. */
function relationPlace(latex, tokens) {
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    else if (!depth && RELATIONS.has(token)) return placesOf(tokens, latex)[i];
  }
  return -1;
}
