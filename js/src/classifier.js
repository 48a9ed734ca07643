// Classifier: a small network that says what single symbols look like, apart from what the expression says.

import { InkscanError } from './errors.js';
import { LanguageModel } from './language.js';
import { openAgreed } from './network.js';
import { symbolPictures } from './pictures.js';
import { CLASSIFIER_GRAPH, GRAPHS, GROUPS_AT_ONCE, PICTURES } from './tables.js';

/** @typedef {import('./network.js').Ort} Ort */
/** @typedef {{name: string, vocabulary: string[], licence: string}} ClassifierInfo */

/** Ready to look at groups of strokes. */
export class Classifier {
  #ort;
  #session;

  /**
   * @param {Ort} ort
   * @param {import('./network.js').Session} session
   * @param {ClassifierInfo} info
   * @param {LanguageModel | null} language the language model beside it, if there is one
   */
  constructor(ort, session, info, language = null) {
    this.#ort = ort;
    this.#session = session;
    this.info = info;
    this.language = language;
  }

  /** @param {Ort} ort @param {import('./model.js').ExportedClassifier} exported */
  static async open(ort, { info, graph, language }) {
    const agreed = { inputs: [GRAPHS.PICTURES, GRAPHS.MEASURES], output: GRAPHS.SCORES, width: info.vocabulary.length + 1 };
    const session = await openAgreed(ort, graph, CLASSIFIER_GRAPH, agreed);
    try {
      return new Classifier(ort, session, info, language && await LanguageModel.open(ort, language, info.vocabulary));
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /**
   * Log-odds of all symbols, and of none, for each group of strokes, up to a constant each.
   * @param {readonly import('./ink.js').Stroke[]} ink
   * @param {readonly import('./pictures.js').Group[]} groups
   * @returns {Promise<Float32Array[]>}
   */
  async scores(ink, groups) {
    const scores = [];
    for (let first = 0; first < groups.length; first += GROUPS_AT_ONCE) {
      scores.push(...await this.#scores(ink, groups.slice(first, first + GROUPS_AT_ONCE)));
    }
    return scores;
  }

  /** @param {readonly import('./ink.js').Stroke[]} ink @param {readonly import('./pictures.js').Group[]} groups */
  async #scores(ink, groups) {
    const { images, measures } = symbolPictures(ink, groups);
    const { SIDE, CHANNELS, MEASURES } = PICTURES;
    const found = await this.#session.run({
      [GRAPHS.PICTURES]: new this.#ort.Tensor('float32', images, [groups.length, CHANNELS, SIDE, SIDE]),
      [GRAPHS.MEASURES]: new this.#ort.Tensor('float32', measures, [groups.length, MEASURES]),
    });
    const scores = /** @type {Float32Array} */ (found[GRAPHS.SCORES].data);
    if (!scores.every(Number.isFinite)) throw new InkscanError('DamagedModel', `${this.info.name} answers with what is no number; export a sound one`);
    const width = scores.length / groups.length;
    return groups.map((_, at) => scores.subarray(at * width, (at + 1) * width));
  }

  /** Give its memory back. */
  async close() {
    try {
      await this.#session.release();
    } finally {
      await this.language?.close();
    }
  }
}
