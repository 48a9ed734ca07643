// Constraint: which tokens may follow each hypothesis, by the grammar and by what a call allows.

import { InkscanError } from './errors.js';
import { advance, closerOf, kindOf, permittedKinds, START_STATE } from './grammar.js';
import { END, KIND, LARGE, LIMIT_FUNCTIONS, STRUCTURE } from './tables.js';

/** @typedef {import('./grammar.js').State} State */

/** The grammar over a vocabulary with some symbols left out. */
export class Constraint {
  /** @type {readonly string[]} */
  #tokens;
  /** @type {number[]} */
  #kinds;
  /** @type {boolean[]} */
  #isPermitted;

  /**
   * @param {readonly string[]} tokens the vocabulary
   * @param {readonly string[] | null} allow
   * @param {readonly string[]} forbid
   */
  constructor(tokens, allow = null, forbid = []) {
    this.#tokens = tokens;
    this.#kinds = tokens.map(kindOf);
    const wanted = this.#wanted(allow, forbid);
    this.#isPermitted = tokens.map((token) => wanted.has(token));
  }

  get start() {
    return START_STATE;
  }

  /**
   * Whether each token may follow so that the rest fits into the budget.
   * @param {State} state
   * @param {number} budget tokens that may still come, the end token included
   */
  permits(state, budget) {
    const kinds = permittedKinds(state, budget);
    const closesIndex = closerOf(state) === KIND.BRACKET_CLOSE;
    return this.#kinds.map((kind, i) => {
      const isFree = this.#isPermitted[i] || (closesIndex && kind === KIND.BRACKET_CLOSE);
      return isFree && ((kinds >> kind) & 1) === 1;
    });
  }

  /** Whether an answer may have this symbol at all. @param {string} label */
  allows(label) {
    return this.#isPermitted[this.#tokens.indexOf(label)] ?? false;
  }

  /** @param {State} state @param {number} token @returns {State} */
  advance(state, token) {
    return advance(state, this.#kinds[token]);
  }

  /** @param {readonly string[] | null} allow @param {readonly string[]} forbid */
  #wanted(allow, forbid) {
    const known = new Set(this.#tokens);
    const unknown = [...(allow ?? []), ...forbid].filter((token) => !known.has(token) || token === END);
    if (unknown.length) {
      const hint = unknown.some((token) => token.includes(',')) ? '; put spaces between symbols' : '';
      const names = unknown.join(' ');
      throw new InkscanError(
        'BadRequest', `the model does not know the symbols ${names}, so it cannot allow or forbid them${hint}`,
      );
    }
    const wanted = new Set(allow === null ? this.#tokens : [...allow, ...STRUCTURE]);
    for (const token of forbid) wanted.delete(token);
    const takesLimits = (/** @type {string} */ token) => LARGE.has(token) || LIMIT_FUNCTIONS.has(token);
    const hasUse = allow === null || allow.some((token) => wanted.has(token) && takesLimits(token));
    if (!hasUse || (!wanted.has('_') && !wanted.has('^'))) wanted.delete('\\limits');
    for (const token of ['{', '}', END]) wanted.add(token);
    if (!this.#tokens.some((token, i) => this.#kinds[i] === KIND.SYMBOL && wanted.has(token))) {
      throw new InkscanError(
        'NothingAllowed', 'no symbol is left that an answer could be made of; allow more or forbid less',
      );
    }
    return wanted;
  }
}
