// Sheet: ink of several lines of mathematics, each read by itself.

import { latexFromTokens } from './latex.js';
import { RELATIONS } from './tables.js';

/** @typedef {import('./recognizer.js').Recognition} Recognition */
/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {Recognition & {strokes: number[]}} SheetLine an answer that numbers the strokes of its line; `strokes` has those of the sheet */
/** @typedef {{lines: SheetLine[], latex: string, aligned: string}} Sheet lines from top to bottom, their LaTeX, and as one formula */

/** @param {SheetLine[]} lines @returns {Sheet} */
export function sheetOf(lines) {
  const rows = lines.map(({ tokens }) => withMark(tokens));
  return {
    lines,
    latex: lines.map(({ latex }) => latex).join('\n'),
    aligned: `\\begin{aligned}\n${rows.join(' \\\\\n')}\n\\end{aligned}`,
  };
}

/** LaTeX with `&` before its first relation sign in no group; before all of a line that has none. @param {string[]} tokens */
function withMark(tokens) {
  const at = firstRelation(tokens);
  return `${latexFromTokens(tokens.slice(0, at))} &${latexFromTokens(tokens.slice(at))}`.trimStart();
}

/** The index of the first relation sign that stands neither in braces nor in the index of a root, or 0. @param {string[]} tokens */
function firstRelation(tokens) {
  /** @type {string[]} */
  const closers = [];
  for (const [at, token] of tokens.entries()) {
    if (token === closers.at(-1)) closers.pop();
    else if (token === '{') closers.push('}');
    else if (token === '[' && tokens[at - 1] === '\\sqrt') closers.push(']');
    else if (!closers.length && RELATIONS.has(token)) return at;
  }
  return 0;
}

/** The answers of the last sheet, so that only lines that have changed are read again. */
export class LineMemory {
  /** @type {Map<string, Recognition>} */
  #answers = new Map();

  /**
   * The answers of all lines, new ones by `read`: copies, so that a caller may change them.
   * @param {readonly Stroke[][]} lines
   * @param {string} settings what else an answer depends on
   * @param {(line: Stroke[]) => Promise<Recognition>} read
   * @returns {Promise<Recognition[]>}
   */
  async answers(lines, settings, read) {
    /** @type {Map<string, Recognition>} */
    const answers = new Map();
    /** @type {Recognition[]} */
    const found = [];
    for (const line of lines) {
      const key = `${settings} ${line.map(({ x, y }) => `${x};${y}`).join(' ')}`;
      const answer = answers.get(key) ?? this.#answers.get(key) ?? await read(line);
      answers.set(key, answer);
      found.push(structuredClone(answer));
    }
    this.#answers = answers;
    return found;
  }
}
