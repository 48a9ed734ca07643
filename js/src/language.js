// Language: how likely formulas say what an answer says, apart from the ink.
// The readers have learnt what formulas say along with how they look, and much of what they learnt from was made up. A
// language model has read real formulas alone. Where several answers are likely it tells which of them people write.

import { InkscanError } from './errors.js';
import { openSession } from './network.js';
import { A_TOKEN, GRAPHS, LANGUAGE_GRAPH } from './tables.js';

/** @typedef {import('./network.js').Ort} Ort */
/** @typedef {readonly number[]} Tokens */

const END = 0;

/** Ready to look at answers. */
export class LanguageModel {
  #ort;
  #session;

  /** @param {Ort} ort @param {import('./network.js').Session} session */
  constructor(ort, session) {
    this.#ort = ort;
    this.#session = session;
  }

  /** @param {Ort} ort @param {Uint8Array} graph @param {readonly string[]} vocabulary */
  static async open(ort, graph, vocabulary) {
    const session = await openSession(ort, graph, LANGUAGE_GRAPH);
    const said = session.outputMetadata.find(({ name }) => name === GRAPHS.NEXT_TOKENS);
    if (!said?.isTensor || said.shape.at(-1) !== vocabulary.length) {
      await session.release();
      throw new InkscanError('DamagedModel', `${LANGUAGE_GRAPH} is not of the vocabulary beside it; export it again`);
    }
    return new LanguageModel(ort, session);
  }

  /**
   * The log-probability of each answer, its end included, with what is due to its length.
   * @param {readonly Tokens[]} answers
   * @returns {Promise<number[]>}
   */
  async fluency(answers) {
    const width = Math.max(...answers.map(({ length }) => length)) + 1;
    const padded = answers.flatMap((answer) => [...answer, ...Array(width - answer.length).fill(END)]);
    const said = await this.#session.run({
      [GRAPHS.ANSWERS]: new this.#ort.Tensor('int64', BigInt64Array.from(padded, BigInt), [answers.length, width]),
    });
    const logProbs = /** @type {Float32Array} */ (said[GRAPHS.NEXT_TOKENS].data);
    const symbols = logProbs.length / padded.length;
    return answers.map((answer, row) => {
      const places = [...answer, END].map((token, at) => logProbs[(row * width + at) * symbols + token]);
      const sum = places.reduce((total, one) => total + one, 0);
      if (!Number.isFinite(sum)) throw new InkscanError('DamagedModel', `${LANGUAGE_GRAPH} answers with what is no number; export a sound one`);
      return sum + A_TOKEN * answer.length;
    });
  }

  /** Give its memory back. */
  async close() {
    await this.#session.release();
  }
}

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
