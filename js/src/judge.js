// Judge: what speaks against a finished answer beside its probability. The network decides each letter's case by itself;
// a person who wrote x twice in one formula seldom means x and X.

import { CASES_ALIKE } from './tables.js';

/** Looks at the answers of one vocabulary. */
export class Judge {
  #cases;

  /** @param {readonly string[]} tokens the vocabulary */
  constructor(tokens) {
    const numbers = CASES_ALIKE.map((pair) => pair.map((label) => tokens.indexOf(label)));
    this.#cases = numbers.filter((pair) => !pair.includes(-1));
  }

  /**
   * How many letters an answer writes both small and capital, of those whose two cases look alike.
   * @param {readonly number[]} tokens
   */
  lettersInBothCases(tokens) {
    const written = new Set(tokens);
    return this.#cases.filter(([small, capital]) => written.has(small) && written.has(capital)).length;
  }
}
