// Recognizer: strokes in, an answer out, in the shape of the HTTP API.

import { BeamSearch } from './beam.js';
import { evidenceOf, expressionConfidence, symbolConfidence } from './calibration.js';
import { Candidates } from './candidates.js';
import { Constraint } from './constraint.js';
import { InkscanError } from './errors.js';
import { traceFeatures } from './features.js';
import { boxOf, readInk } from './ink.js';
import { latexFromTokens, typeset } from './latex.js';
import { toMathml } from './mathml.js';
import { rounded } from './rounding.js';
import { boundsOf, readOptions } from './search.js';
import { isWritten, segment, strokeShares } from './segmentation.js';
import { MAX_STROKES, MAX_TRACE_POINTS } from './tables.js';
import { parseTokens } from './tree.js';

/** @typedef {import('./ink.js').InkLike} InkLike */
/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./search.js').Options} Options */
/** @typedef {import('./search.js').SearchSettings} SearchSettings */
/** @typedef {import('./beam.js').Found} Found */
/** @typedef {import('./candidates.js').Candidate} Candidate */

/**
 * @typedef {object} Alternative a possible answer and its probability
 * @property {string} latex
 * @property {string[]} tokens
 * @property {number} score
 * @property {number} probability
 * @property {string} [mathml]
 */
/**
 * @typedef {object} RecognizedSymbol one written symbol: a token, the strokes that write it and where they are
 * @property {string} token
 * @property {number} index of the token in `tokens`
 * @property {number[]} strokes
 * @property {import('./ink.js').Box | null} box null for a symbol without strokes
 * @property {number} confidence
 * @property {Candidate[]} candidates other readings, the likeliest first
 */
/**
 * @typedef {object} Recognition what an ink says; as the reply of POST /v1/recognize
 * @property {string} latex
 * @property {string[]} tokens
 * @property {string} [mathml]
 * @property {number} score
 * @property {number} confidence calibrated probability that the whole answer is right
 * @property {Alternative[]} [alternatives] the answer itself first
 * @property {RecognizedSymbol[]} [symbols]
 * @property {number[][]} [alignment] a row a token: shares of the strokes
 * @property {string} model
 * @property {{queue_ms: number, recognition_ms: number, batch: number}} timing
 */

const DIGITS = 6; // of probabilities in the answer
const SHARE_DIGITS = 3;

/** One model, ready to read. */
export class Recognizer {
  #network;
  #info;
  #constraint;
  #symbols;
  #turn = Promise.resolve(); // after the recognition that was asked for last

  /** @param {import('./model.js').ModelInfo} info @param {import('./network.js').Network} network */
  constructor(info, network) {
    this.#info = info;
    this.#network = network;
    this.#constraint = new Constraint(info.vocabulary);
    this.#symbols = new Set(info.vocabulary.slice(1));
  }

  /** The model's name. */
  get name() {
    return this.#info.name;
  }

  /** The licence of its weights. */
  get licence() {
    return this.#info.licence;
  }

  /** The symbols that it knows. */
  get symbols() {
    return [...this.#symbols];
  }

  /**
   * Recognise strokes.
   * @param {InkLike} strokes
   * @param {Options} options
   * @returns {Promise<Recognition>}
   */
  async recognize(strokes, options = {}) {
    const { search, formats, signal } = readOptions(options, { length_power: this.#info.length_power });
    const ink = readInk(strokes);
    const asked = performance.now();
    return this.#inTurn(async () => {
      const begun = performance.now();
      const found = await this.#search(ink, search, signal);
      const answer = this.#answer(ink, found, search, new Set(formats));
      const [queued, worked] = [begun - asked, performance.now() - begun];
      return { ...answer, timing: { queue_ms: rounded(queued, 2), recognition_ms: rounded(worked, 2), batch: 1 } };
    });
  }

  /**
   * Canonical LaTeX and MathML of LaTeX or of tokens, as POST /v1/typeset.
   * @param {{latex: string} | {tokens: readonly string[]}} value
   */
  async typeset(value) {
    return typeset(value);
  }

  /** Give the model's memory back. */
  async close() {
    await this.#network.close();
  }

  /**
   * One recognition after the other: together none would be faster.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.then(() => {}, () => {});
    return result;
  }

  /** @param {Stroke[]} ink @param {SearchSettings} search @param {AbortSignal | undefined} signal @returns {Promise<Found>} */
  async #search(ink, search, signal) {
    if (ink.length > MAX_STROKES) {
      tooLarge(`${ink.length} strokes; one expression has at most ${MAX_STROKES}, so split the ink`);
    }
    const isFree = search.allow === null && !search.forbid.length;
    const constraint = isFree ? this.#constraint : new Constraint(this.#info.vocabulary, search.allow, search.forbid);
    const trace = traceFeatures(ink, this.#info.features.spacing);
    if (trace.features.length / 8 > MAX_TRACE_POINTS) {
      tooLarge(`the strokes are too long for one expression: more than ${MAX_TRACE_POINTS} points`);
    }
    const bounds = boundsOf(ink.length, search);
    const beam = new BeamSearch(this.#network, constraint, search, bounds, signal);
    return beam.run(await this.#network.encode(trace), this.#info.vocabulary.length);
  }

  /** @param {Stroke[]} ink @param {Found} found @param {SearchSettings} search @param {Set<string>} formats */
  #answer(ink, found, search, formats) {
    const tokens = this.#decoded(found.hypotheses[0].tokens);
    const shares = strokeShares(found.alphas);
    const confidence = expressionConfidence(this.#info.calibration, evidenceOf(found.hypotheses, search.beam));
    const alternatives = this.#alternatives(found, confidence).slice(0, search.n_best);
    return {
      latex: latexFromTokens(tokens),
      tokens,
      ...(formats.has('mathml') ? { mathml: toMathml(parseTokens(tokens)) } : {}),
      score: rounded(found.hypotheses[0].score, DIGITS),
      confidence: rounded(confidence, DIGITS),
      ...(formats.has('alternatives') ? { alternatives: alternatives.map((one) => shown(one, formats.has('mathml'))) } : {}),
      ...(formats.has('symbols') ? { symbols: this.#symbolsOf(ink, tokens, found, shares, alternatives) } : {}),
      ...(formats.has('alignment')
        ? { alignment: shares.map((row) => Array.from(row, (share) => rounded(share, SHARE_DIGITS))) } : {}),
      model: this.#info.name,
    };
  }

  /**
   * The answer has its confidence; the others share at most the rest, in proportion to their scores.
   * @param {Found} found
   * @param {number} confidence
   * @returns {Alternative[]}
   */
  #alternatives({ hypotheses }, confidence) {
    const shares = hypotheses.map(({ score }) => confidence * Math.exp(score - hypotheses[0].score));
    const others = shares.slice(1).reduce((sum, share) => sum + share, 0);
    const scale = others > 1 - confidence ? (1 - confidence) / others : 1;
    return hypotheses.map(({ tokens: numbers, score }, i) => {
      const tokens = this.#decoded(numbers);
      return { latex: latexFromTokens(tokens), tokens, score, probability: i ? shares[i] * scale : shares[i] };
    });
  }

  /**
   * @param {Stroke[]} ink
   * @param {string[]} tokens
   * @param {Found} found
   * @param {Float32Array[]} shares
   * @param {Alternative[]} alternatives
   * @returns {RecognizedSymbol[]}
   */
  #symbolsOf(ink, tokens, found, shares, alternatives) {
    const written = isWritten(tokens);
    const groups = segment(shares, written);
    const candidates = new Candidates(alternatives, this.#symbols);
    const { logProbs } = found.hypotheses[0];
    return tokens.flatMap((token, index) => (written[index] ? [{
      token,
      index,
      strokes: groups[index],
      box: groups[index].length ? boxOf(groups[index].map((stroke) => ink[stroke])) : null,
      confidence: rounded(symbolConfidence(this.#info.calibration, logProbs[index]), DIGITS),
      candidates: candidates.of(index).map(shownCandidate),
    }] : []));
  }

  /** @param {number[]} numbers */
  #decoded(numbers) {
    return numbers.map((number) => this.#info.vocabulary[number]);
  }
}

/** @param {Alternative} alternative @param {boolean} withMathml @returns {Alternative} */
function shown({ latex, tokens, score, probability }, withMathml) {
  const entry = { latex, tokens, score: rounded(score, DIGITS), probability: rounded(probability, DIGITS) };
  return withMathml ? { ...entry, mathml: toMathml(parseTokens(tokens)) } : entry;
}

/** @param {Candidate} candidate @returns {Candidate} */
function shownCandidate({ token, probability }) {
  return { token, probability: probability === null ? null : rounded(probability, DIGITS) };
}

/** @param {string} message @returns {never} */
function tooLarge(message) {
  throw new InkscanError('InkTooLarge', message);
}
