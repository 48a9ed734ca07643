// Shapes: what the symbols of an answer look like, as a classifier of single symbols sees them.
// The search knows what an expression says and reads the pen's way; the classifier knows neither, only pictures. Where
// several answers are likely it tells which of them the ink looks like.

import { isWritten } from './segmentation.js';
import { SHAPE_FLOOR, WITHOUT_STROKES } from './tables.js';

/** @typedef {{tokens: readonly string[], groups: readonly (readonly number[])[]}} SegmentedAnswer tokens, and the strokes of each */
/** @typedef {{token: string, group: readonly number[]}} Symbol */

/** One ink, of whose strokes each group is looked at once. */
export class Shapes {
  #classifier;
  #ink;
  #possible;
  /** @type {Map<string, Float64Array>} */
  #seen = new Map();

  /**
   * @param {import('./classifier.js').Classifier} classifier
   * @param {readonly import('./ink.js').Stroke[]} ink
   * @param {import('./constraint.js').Constraint} constraint
   */
  constructor(classifier, ink, constraint) {
    this.#classifier = classifier;
    this.#ink = ink;
    this.#possible = [...classifier.info.vocabulary.map((token) => constraint.allows(token)), true];
  }

  /**
   * Log-probabilities of the symbols of each answer, without those that all of them have alike.
   * @param {readonly SegmentedAnswer[]} answers
   * @returns {Promise<number[]>}
   */
  async weigh(answers) {
    const symbols = answers.map(countedSymbols);
    const different = symbols.map((one) => [...one].flatMap(([key, { symbol, count }]) => {
      const own = count - Math.min(...symbols.map((other) => other.get(key)?.count ?? 0));
      return own > 0 ? [{ symbol, own }] : [];
    }));
    await this.#lookAt(different.flat().map(({ symbol }) => symbol.group));
    return different.map((one) => one.reduce((sum, { symbol, own }) => sum + own * this.#says(symbol), 0));
  }

  /** @param {readonly (readonly number[])[]} groups */
  async #lookAt(groups) {
    const fresh = new Map(groups.filter((group) => group.length && !this.#seen.has(String(group))).map((group) => [String(group), group]));
    if (!fresh.size) return;
    const scores = await this.#classifier.scores(this.#ink, [...fresh.values()]);
    [...fresh.keys()].forEach((key, at) => this.#seen.set(key, this.#logProbabilities(scores[at])));
  }

  /** @param {Float32Array} scores */
  #logProbabilities(scores) {
    const possible = Float64Array.from(scores, (score, at) => (this.#possible[at] ? score : -Infinity));
    const most = Math.max(...possible);
    const total = most + Math.log(possible.reduce((sum, score) => sum + Math.exp(score - most), 0));
    return possible.map((score) => score - total);
  }

  /** @param {Symbol} symbol */
  #says({ token, group }) {
    if (!group.length) return WITHOUT_STROKES;
    const said = this.#seen.get(String(group))?.[this.#classifier.info.vocabulary.indexOf(token)] ?? SHAPE_FLOOR;
    return Math.max(said, SHAPE_FLOOR);
  }
}

/** Each written symbol with its strokes, and how often. @param {SegmentedAnswer} answer */
function countedSymbols({ tokens, groups }) {
  /** @type {Map<string, {symbol: Symbol, count: number}>} */
  const counts = new Map();
  isWritten(tokens).forEach((written, at) => {
    if (!written) return;
    const symbol = { token: tokens[at], group: groups[at] };
    const key = `${symbol.token} ${symbol.group}`;
    counts.set(key, { symbol, count: (counts.get(key)?.count ?? 0) + 1 });
  });
  return counts;
}
