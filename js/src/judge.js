// Judge: what speaks against a finished answer beside its probability. The network decides each letter's case by itself;
// a person who wrote x twice in one formula seldom means x and X. Half of the integrals that it learnt from have their
// bounds above and below the sign; people put them beside it. And a cross that has nothing to multiply is a letter.

import { AFTER_FACTORS, BEFORE_FACTORS, CASES_ALIKE, INTEGRALS } from './tables.js';

/** @typedef {import('./search.js').SearchSettings} SearchSettings */

/** Looks at the answers of one vocabulary. */
export class Judge {
  #cases;
  #integrals;
  #limits;
  #times;
  #before;
  #after;
  #rowOpens;
  #rowCloses;

  /** @param {readonly string[]} tokens the vocabulary */
  constructor(tokens) {
    const numbers = CASES_ALIKE.map((pair) => pair.map((label) => tokens.indexOf(label)));
    this.#cases = numbers.filter((pair) => !pair.includes(-1));
    this.#integrals = new Set([...INTEGRALS].map((sign) => tokens.indexOf(sign)));
    this.#limits = tokens.indexOf('\\limits');
    this.#times = tokens.indexOf('\\times');
    const known = (/** @type {Iterable<string>} */ labels) => [...labels].map((label) => tokens.indexOf(label)).filter((at) => at >= 0);
    this.#before = new Set([undefined, ...known(BEFORE_FACTORS)]);
    this.#after = new Set([undefined, ...known(AFTER_FACTORS)]);
    this.#rowOpens = new Set([undefined, ...known(['{'])]);
    this.#rowCloses = new Set([undefined, ...known(['}'])]);
  }

  /**
   * Nats that count against a finished answer.
   * @param {readonly number[]} tokens
   * @param {SearchSettings} settings
   */
  against(tokens, { both_cases: cases, integral_limits: limits, bare_times: times }) {
    return cases * this.lettersInBothCases(tokens) + limits * this.integralsWithLimits(tokens) + times * this.bareTimes(tokens);
  }

  /**
   * How many letters an answer writes both small and capital, of those whose two cases look alike.
   * @param {readonly number[]} tokens
   */
  lettersInBothCases(tokens) {
    const written = new Set(tokens);
    return this.#cases.filter(([small, capital]) => written.has(small) && written.has(capital)).length;
  }

  /**
   * How many integrals of an answer have their bounds above and below the sign.
   * @param {readonly number[]} tokens
   */
  integralsWithLimits(tokens) {
    return tokens.filter((token, at) => token === this.#limits && this.#integrals.has(tokens[at - 1])).length;
  }

  /**
   * How many crosses lack a factor on a side; one that is all of its row, as in R^{\\times}, does not count.
   * @param {readonly number[]} tokens
   */
  bareTimes(tokens) {
    return tokens.filter((token, at) => {
      const [before, after] = [tokens[at - 1], tokens[at + 1]];
      const isAlone = this.#rowOpens.has(before) && this.#rowCloses.has(after);
      return token === this.#times && !isAlone && (this.#before.has(before) || this.#after.has(after));
    }).length;
  }
}
