// LaTeX text to the layout tree, and clean LaTeX from tokens.

import { InkscanError } from './errors.js';
import { toMathml } from './mathml.js';
import {
  ACCENTS, CANONICAL, CHARACTERS, DELIMITER_SIZES, FONTS, FOREIGN, FUNCTION_NAMES, INFIX_STACKS, LIMIT_TAKERS, MAX_LATEX_LENGTH, SPACING, SPELLED_FUNCTIONS,
  STACKS, STRUCTURE, STYLED, TOKENS_ARE, UNWRITABLE,
} from './tables.js';
import { parseTokens, toTokens } from './tree.js';

/** @typedef {{text: string, position: number, ofWord?: boolean}} Token and where it begins; a letter of a word in a font of its own */
/** @typedef {{latex: string, tokens: string[], mathml: string}} Typeset as POST /v1/typeset replies */

const LEXEME = new RegExp(
  [
    /(?<space>\s+|%[^\n]*|~)/,
    /(?<environment>\\(?:begin|end)\s*\{[^{}]*\})/,
    /(?<command>\\(?:[lg]t(?=[A-Za-df-z](?![A-Za-z]))|[A-Za-z]+|.))/, // CROHME glues `M\ltN`
    /(?<character>.)/,
  ].map(({ source }) => source).join('|'),
  'gsu',
);
const TOKEN = new RegExp(
  `^(?:(?:${STYLED.map((style) => `\\${style}`).join('|')})\\{[A-Za-z0-9]\\}|\\\\[A-Za-z]+|\\\\[^\\p{C}\\p{Z}]|[^\\\\\\p{C}\\p{Z}])$`, 'u',
);
const COMMAND = /^\\\p{L}+$/u;
const ALPHANUMERIC = /^[\p{L}\p{N}]/u;
const PLAIN = /^[A-Za-z0-9]$/;

/**
 * Canonical LaTeX and MathML of LaTeX or of tokens.
 * @param {{latex: string} | {tokens: readonly string[]}} value
 * @returns {Typeset}
 * @throws {InkscanError} `request.invalid` for any other value, `latex.…` for what cannot be read
 */
export function typeset(value) {
  const row = rowOf(value);
  const tokens = toTokens(row);
  return { latex: latexFromTokens(tokens), tokens, mathml: toMathml(row) };
}

/** The layout tree of what a caller gave, which may be anything. @param {unknown} value */
function rowOf(value) {
  const { latex, tokens } = Object(value);
  if (tokens === undefined && typeof latex === 'string') return parseLatex(latex);
  if (!Array.isArray(tokens)) throw new InkscanError('BadRequest', "typeset takes {latex: '...'} or {tokens: [...]}");
  const areTokens = [...tokens].every((token) => typeof token === 'string' && TOKEN.test(token) && !STYLED.includes(token));
  if (!areTokens) throw new InkscanError('BadRequest', TOKENS_ARE);
  return parseForeignTokens(tokens);
}

/** Clean LaTeX, as a person would type it. @param {readonly string[]} tokens */
export function latexFromTokens(tokens) {
  return withOperators(tokens).map((token, i, all) => (i && needsSpace(all[i - 1], token) ? ` ${token}` : token)).join('');
}

/** `= \limits` as `\mathop { = } \limits`: TeX takes limits at operators alone. @param {readonly string[]} tokens */
function withOperators(tokens) {
  /** @type {string[]} */
  const written = [];
  let start = 0; // of the last symbol
  /** @type {number[]} */
  const starts = []; // of those whose braces are open
  for (const token of tokens) {
    if (token === '{') starts.push(start);
    else if (token === '}') start = starts.pop() ?? written.length;
    else if (token !== '\\limits') start = written.length;
    else if (start < written.length && !LIMIT_TAKERS.has(written[start])) {
      written.push('\\mathop', '{', ...written.splice(start), '}');
    }
    written.push(token);
  }
  return written;
}

/** @param {string} before @param {string} token */
function needsSpace(before, token) {
  if (!COMMAND.test(before)) return false;
  return ALPHANUMERIC.test(token) || (FUNCTION_NAMES.has(before) && !['^', '_', '\\limits', '(', '}'].includes(token));
}

/** The layout tree of any LaTeX formula; errors carry the position in the text. @param {string} latex */
function parseLatex(latex) {
  const named = namedFunctions(groupedDelimiters(joinedStyles(lexemes(latex))));
  return parsed(spelledFunctions(writtenTokens(named)), latex.length);
}

/** The layout tree of tokens from outside, which need not be canonical; errors carry the index of the token. @param {readonly string[]} tokens */
function parseForeignTokens(tokens) {
  return parsed(writtenTokens(tokens.map((text, position) => ({ text, position }))), tokens.length);
}

/** The layout tree of known tokens, of which there is at least one; `end` is where their text ends. @param {Token[]} tokens @param {number} end */
function parsed(tokens, end) {
  for (const { text, position } of tokens) {
    if (!isStructure(text) && !isKnown(text)) throw new InkscanError('UnknownToken', explainUnknown(text), position);
  }
  const row = located(tokens, end, () => parseTokens(tokens.map(({ text }) => text)));
  if (!row.length) throw new InkscanError('LatexSyntax', 'the formula is empty');
  return row;
}

/**
 * What the work returns; its errors tell the position in the text instead of that in the tokens.
 * @template T
 * @param {Token[]} tokens
 * @param {number} end
 * @param {() => T} work
 * @returns {T}
 */
function located(tokens, end, work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof InkscanError && error.position !== null) {
      error.position = tokens[error.position]?.position ?? end;
    }
    throw error;
  }
}

/** @param {string} latex @returns {Token[]} */
function lexemes(latex) {
  if (latex.length > MAX_LATEX_LENGTH) {
    const message = `${latex.length} characters; a formula has at most ${MAX_LATEX_LENGTH}`;
    throw new InkscanError('LatexSyntax', message, MAX_LATEX_LENGTH);
  }
  /** @type {Token[]} */
  const tokens = [];
  for (const { 0: text, index: position, groups } of latex.matchAll(LEXEME)) {
    if (text === '\\') throw new InkscanError('LatexSyntax', 'a backslash at the end names no command', position);
    if (groups?.space === undefined && text !== '$') {
      tokens.push({ text: groups?.environment ? text.replace(/\s/g, '') : text, position });
    }
  }
  return tokens;
}

/** `\mathbb { R C }` to the labels `\mathbb{R}` `\mathbb{C}`; a single letter needs no braces. @param {Token[]} tokens */
function joinedStyles(tokens) {
  /** @type {Token[]} */
  const joined = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    at += 1;
    if (!STYLED.includes(token.text)) {
      joined.push(token);
      continue;
    }
    const letters = plainArgument(tokens, at);
    if (!letters.length) {
      throw new InkscanError('LatexSyntax', `'${token.text}' is read only on plain letters and digits`, token.position);
    }
    joined.push(...letters.map(({ text, position }) => ({ text: `${token.text}{${text}}`, position })));
    at += tokens[at].text === '{' ? letters.length + 2 : 1;
  }
  return joined;
}

/** @param {Token[]} tokens @param {number} at @returns {Token[]} */
function plainArgument(tokens, at) {
  const first = tokens[at]?.text;
  if (first !== undefined && /^[\p{L}\p{N}]$/u.test(first)) return [tokens[at]];
  if (first !== '{') return [];
  const end = tokens.findIndex(({ text }, i) => i > at && !PLAIN.test(text));
  return end !== -1 && tokens[end].text === '}' ? tokens.slice(at + 1, end) : [];
}

/** What stands between `\left(` and `\right)` is a group: `\over` in it divides this alone. @param {Token[]} tokens */
function groupedDelimiters(tokens) {
  let count = 0;
  const stacks = tokens.map(({ text }) => (INFIX_STACKS.has(text) ? (count += 1) : count));
  /** @type {Map<number, string>} */
  const braces = new Map();
  /** @type {number[]} */
  const opened = [];
  tokens.forEach(({ text }, at) => {
    if (text === '\\left') opened.push(at);
    const start = text === '\\right' ? opened.pop() : undefined;
    if (start === undefined || stacks[at] === stacks[start]) return;
    braces.set(start + 2, `${braces.get(start + 2) ?? ''}{`);
    braces.set(at, `}${braces.get(at) ?? ''}`);
  });
  return tokens.flatMap((token, at) => [...[...braces.get(at) ?? ''].map((text) => ({ text, position: token.position })), token]);
}

/** `\operatorname{cosh}` is `\cosh`; a word that names no function has no function within it either. @param {Token[]} tokens */
function namedFunctions(tokens) {
  /** @type {Token[]} */
  const found = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    found.push(token);
    at += 1;
    if (!FONTS.has(token.text)) continue;
    if (token.text === '\\operatorname' && tokens[at]?.text === '*') at += 1;
    const letters = plainArgument(tokens, at);
    const end = at + (letters.length && tokens[at].text === '{' ? letters.length + 2 : letters.length);
    const word = `\\${letters.map(({ text }) => text).join('')}`;
    if (FUNCTION_NAMES.has(word)) found.push({ text: word, position: token.position });
    else found.push(...tokens.slice(at, end).map((one) => ({ ...one, ofWord: !'{}'.includes(one.text) })));
    at = end;
  }
  return found;
}

/** Drop what is not written and give every symbol its canonical name. @param {Token[]} tokens @returns {Token[]} */
function writtenTokens(tokens) {
  return tokens.flatMap((token, i) => {
    const { text } = token;
    const isNull = text === '.' && DELIMITER_SIZES.has(tokens[i - 1]?.text ?? '');
    if (isNull || SPACING.has(text) || FONTS.has(text) || DELIMITER_SIZES.has(text)) return [];
    return [{ ...token, text: CANONICAL.get(text) ?? text }];
  });
}

/** `l o g` is `\log`, with or without a backslash. @param {Token[]} tokens @returns {Token[]} */
function spelledFunctions(tokens) {
  /** @type {Token[]} */
  const found = [];
  for (let at = 0; at < tokens.length;) {
    const word = SPELLED_FUNCTIONS.find((name) => [...name].every((letter, i) => {
      const token = tokens[at + i];
      return token?.text === letter && !token.ofWord;
    }));
    found.push(word ? { text: `\\${word}`, position: tokens[at].position } : tokens[at]);
    at += word ? word.length : 1;
  }
  return found;
}

/** @param {string} text */
function isStructure(text) {
  return STACKS.has(text) || ACCENTS.has(text) || STRUCTURE.has(text) || UNWRITABLE.has(text) || text === '\\sqrt';
}

/** Whether a token is a symbol that the layout tree, MathML and LaTeX output can all show. @param {string} label */
function isKnown(label) {
  if (label.length === 1) return /^[ -~]$/.test(label) && !'\\{}^_&#%$~'.includes(label);
  if (CHARACTERS.has(label) || FUNCTION_NAMES.has(label)) return true;
  return STYLED.some((style) => label.startsWith(style)) && label.endsWith('}');
}

/** @param {string} text */
function explainUnknown(text) {
  const isForeign = FOREIGN.some((prefix) => text.startsWith(prefix));
  return isForeign ? `'${text}' has no place in the layout tree: arrays are not read` : `'${text}' is not a known symbol or command`;
}
