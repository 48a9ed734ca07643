// Language: how likely formulas say what an answer says, apart from the ink.
// The readers have learnt what formulas say along with how they look, and much of what they learnt from was made up. A
// language model has read real formulas alone. Where several answers are likely it tells which of them people write.

import { END_NUMBER } from './beam.js';
import { InkscanError } from './errors.js';
import { openAgreed } from './network.js';
import { A_TOKEN, GRAPHS, LANGUAGE_GRAPH, TOKENS_AT_ONCE } from './tables.js';

/** @typedef {import('./network.js').Ort} Ort */
/** @typedef {readonly number[]} Tokens */

/** Ready to look at answers. */
export class LanguageModel {
  #ort;
  #session;

  #width;

  /** @param {Ort} ort @param {import('./network.js').Session} session @param {number} width how many tokens it knows */
  constructor(ort, session, width) {
    this.#ort = ort;
    this.#session = session;
    this.#width = width;
  }

  /** @param {Ort} ort @param {Uint8Array} graph @param {readonly string[]} vocabulary */
  static async open(ort, graph, { length: width }) {
    const agreed = { inputs: [GRAPHS.ANSWERS], output: GRAPHS.NEXT_TOKENS, width };
    return new LanguageModel(ort, await openAgreed(ort, graph, LANGUAGE_GRAPH, agreed), width);
  }

  /**
   * The log-probability of each answer, its end included, with what is due to its length.
   * @param {readonly Tokens[]} answers
   * @returns {Promise<number[]>}
   */
  async fluency(answers) {
    const atOnce = Math.max(Math.floor(TOKENS_AT_ONCE / placesOf(answers)), 1);
    const found = [];
    for (let first = 0; first < answers.length; first += atOnce) {
      found.push(...await this.#fluency(answers.slice(first, first + atOnce)));
    }
    return found;
  }

  /** @param {readonly Tokens[]} answers */
  async #fluency(answers) {
    const places = placesOf(answers);
    const padded = answers.flatMap((answer) => [...answer, ...Array(places - answer.length).fill(END_NUMBER)]);
    const said = await this.#session.run({
      [GRAPHS.ANSWERS]: new this.#ort.Tensor('int64', BigInt64Array.from(padded, BigInt), [answers.length, places]),
    });
    const logProbs = /** @type {Float32Array} */ (said[GRAPHS.NEXT_TOKENS].data);
    if (logProbs.length !== padded.length * this.#width || !logProbs.every(Number.isFinite)) {
      throw new InkscanError('DamagedModel', `${LANGUAGE_GRAPH} answers with what are no log-probabilities of each token in each place; export a sound one`);
    }
    const at = (/** @type {number} */ row, /** @type {number} */ place, /** @type {number} */ token) => (
      logProbs[(row * places + place) * this.#width + token]
    );
    return answers.map((answer, row) => (
      [...answer, END_NUMBER].reduce((sum, token, place) => sum + at(row, place, token), 0) + A_TOKEN * answer.length
    ));
  }

  /** Give its memory back. */
  async close() {
    await this.#session.release();
  }
}

/** How many tokens the longest has, with its end. @param {readonly Tokens[]} answers */
const placesOf = (answers) => Math.max(...answers.map(({ length }) => length)) + 1;

/** The answers to one ink, each looked at once. */
export class Fluency {
  #model;
  /** @type {Map<string, number>} */
  #known = new Map();

  /** @param {{fluency: (answers: readonly Tokens[]) => Promise<number[]>}} model */
  constructor(model) {
    this.#model = model;
  }

  /** The fluency of each answer. @param {readonly Tokens[]} answers @returns {Promise<number[]>} */
  async of(answers) {
    const fresh = new Map(answers.filter((answer) => !this.#known.has(String(answer))).map((answer) => [String(answer), answer]));
    if (fresh.size) {
      const found = await this.#model.fluency([...fresh.values()]);
      [...fresh.keys()].forEach((key, at) => this.#known.set(key, found[at]));
    }
    return answers.map((answer) => /** @type {number} */ (this.#known.get(String(answer))));
  }
}
