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

/** Where each token begins in canonical LaTeX, which has spaces between some of them and makes operators of others. */
export function placesOf(tokens, latex) {
  const text = latex.replaceAll('\\mathop{', ' '.repeat('\\mathop{'.length));
  let end = 0;
  return tokens.map((token) => {
    const begin = text.indexOf(token, end);
    end = begin + token.length;
    return begin;
  });
}

/** Formulas {latex} one below the other, aligned at their first relation signs; one without begins there. */
export function aligned(formulas) {
  const rows = formulas.map(({ latex }) => {
    const at = relationPlace(latex);
    return at < 0 ? `&${latex}` : `${latex.slice(0, at).trimEnd()} &${latex.slice(at)}`.trimStart();
  });
  return `\\begin{aligned}\n${rows.join(' \\\\\n')}\n\\end{aligned}`;
}

/** Where the first relation begins that stands neither in braces nor in the index of a root; -1 for none. */
function relationPlace(latex) {
  const closers = [];
  let before = '';
  for (const { 0: lexeme, 1: operator, index } of latex.matchAll(/\\mathop\{([^{}]+)\}|\\[A-Za-z]+|\\.|\S/gsu)) {
    if (lexeme === closers.at(-1)) closers.pop();
    else if (lexeme === '{') closers.push('}');
    else if (lexeme === '[' && before === '\\sqrt') closers.push(']');
    else if (!closers.length && RELATIONS.has(operator ?? lexeme)) return index;
    before = lexeme;
  }
  return -1;
}
