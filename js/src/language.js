// Language: how likely formulas say what an answer says, apart from the ink.
// The readers have learnt what formulas say along with how they look, and much of what they learnt from was made up. A
// language model has read real formulas alone. Where several answers are likely it tells which of them people write.
// Accents it does not judge: in one formula of fifty it has hardly met them.

import { END_NUMBER } from './beam.js';
import { InkscanError } from './errors.js';
import { openAgreed } from './network.js';
import { A_TOKEN, ACCENTS, GRAPHS, LANGUAGE_GRAPH, TOKENS_AT_ONCE } from './tables.js';

/** @typedef {import('./network.js').Ort} Ort */
/** @typedef {readonly number[]} Tokens */

/** Ready to look at answers. */
export class LanguageModel {
  #ort;
  #session;
  #vocabulary;

  /** @param {Ort} ort @param {import('./network.js').Session} session @param {readonly string[]} vocabulary */
  constructor(ort, session, vocabulary) {
    this.#ort = ort;
    this.#session = session;
    this.#vocabulary = vocabulary;
  }

  /** @param {Ort} ort @param {Uint8Array} graph @param {readonly string[]} vocabulary */
  static async open(ort, graph, vocabulary) {
    const agreed = { inputs: [GRAPHS.ANSWERS], output: GRAPHS.NEXT_TOKENS, width: vocabulary.length };
    return new LanguageModel(ort, await openAgreed(ort, graph, LANGUAGE_GRAPH, agreed), vocabulary);
  }

  /**
   * The log-probability of each answer without its accents, its end included, with what is due to its length.
   * @param {readonly Tokens[]} said
   * @returns {Promise<number[]>}
   */
  async fluency(said) {
    const answers = said.map((answer) => this.#withoutAccents(answer));
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
    if (logProbs.length !== padded.length * this.#vocabulary.length || !logProbs.every(Number.isFinite)) {
      throw new InkscanError('DamagedModel', `${LANGUAGE_GRAPH} answers with what are no log-probabilities of each token in each place; export a sound one`);
    }
    const at = (/** @type {number} */ row, /** @type {number} */ place, /** @type {number} */ token) => (
      logProbs[(row * places + place) * this.#vocabulary.length + token]
    );
    return answers.map((answer, row) => (
      [...answer, END_NUMBER].reduce((sum, token, place) => sum + at(row, place, token), 0) + A_TOKEN * answer.length
    ));
  }

  /** The answer with x in the place of \hat { x }. @param {Tokens} answer */
  #withoutAccents(answer) {
    const isAccent = (/** @type {number} */ token) => ACCENTS.has(this.#vocabulary[token]);
    if (!answer.some(isAccent)) return answer;
    /** @type {boolean[]} */
    const groups = []; // those that are open, and whether an accent's
    return answer.filter((token, at) => {
      const name = this.#vocabulary[token];
      if (isAccent(token)) return false;
      if (name === '{') groups.push(at > 0 && isAccent(answer[at - 1]));
      const isBrace = name === '{' || name === '}';
      const isKept = !isBrace || !groups.at(-1);
      if (name === '}') groups.pop();
      return isKept;
    });
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
