// Interpretation: from what the search found to an answer in the shape of the HTTP API.

import { evidenceOf, expressionConfidence, symbolConfidence, withAgreement } from './calibration.js';
import { Candidates } from './candidates.js';
import { boxOf } from './ink.js';
import { latexFromTokens } from './latex.js';
import { toMathml } from './mathml.js';
import { rounded } from './rounding.js';
import { isWritten, segment, strokeShares } from './segmentation.js';
import { asItStands } from './standing.js';
import { UNREAD } from './tables.js';
import { parseTokens } from './tree.js';
import { readStrokes } from './unread.js';

/** @typedef {import('./ink.js').Stroke} Stroke */
/** @typedef {import('./beam.js').Found} Found */
/** @typedef {import('./beam.js').Hypothesis} Hypothesis */
/** @typedef {import('./voting.js').Agreement} Agreement */
/** @typedef {import('./candidates.js').Candidate} Candidate */
/** @typedef {import('./search.js').SearchSettings} SearchSettings */
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
 * @typedef {object} Answer what an ink says
 * @property {string} latex
 * @property {string[]} tokens
 * @property {string} [mathml]
 * @property {number} score
 * @property {number} confidence calibrated probability that the whole answer is right
 * @property {Alternative[]} [alternatives] the answer itself first
 * @property {RecognizedSymbol[]} [symbols]
 * @property {number[]} unread strokes that no symbol explains; every other one belongs to one symbol
 * @property {number[][]} [alignment] a row a token: shares of the strokes
 * @property {string} model
 */

const DIGITS = 6; // of probabilities in the answer
const SHARE_DIGITS = 3;

/** Makes answers for one model. */
export class Interpreter {
  #info;
  #symbols;
  /** @type {WeakMap<Hypothesis, {tokens: string[], shares: Float32Array[], groups: number[][]}>} */
  #segmented = new WeakMap();

  /** @param {import('./model.js').ModelInfo} info */
  constructor(info) {
    this.#info = info;
    this.#symbols = new Set(info.vocabulary.slice(1));
  }

  /**
   * @param {readonly Stroke[]} ink
   * @param {Found} found
   * @param {SearchSettings} search
   * @param {ReadonlySet<string>} formats
   * @param {Agreement | null} agreement of all that were asked, after a vote
   * @returns {Answer}
   */
  answer(ink, found, search, formats, agreement = null) {
    const [best] = found.hypotheses;
    const tokens = this.decoded(best.tokens);
    const { shares, groups } = this.segmented(ink, best);
    const unread = strokesNotIn(groups, ink);
    const confidence = this.confidence(found, unread.length, search, agreement);
    const alternatives = this.#alternatives(found, confidence).slice(0, search.n_best);
    return {
      latex: latexFromTokens(tokens),
      tokens,
      ...(formats.has('mathml') ? { mathml: toMathml(parseTokens(tokens)) } : {}),
      score: rounded(best.score, DIGITS),
      confidence: rounded(confidence, DIGITS),
      ...(formats.has('alternatives') ? { alternatives: alternatives.map((one) => shown(one, formats.has('mathml'))) } : {}),
      ...(formats.has('symbols') ? { symbols: this.#symbolsOf(ink, tokens, groups, best.logProbs, new Candidates(alternatives, this.#permitted(search))) } : {}),
      unread,
      ...(formats.has('alignment')
        ? { alignment: shares.map((row) => Array.from(row, (share) => rounded(share, SHARE_DIGITS))) } : {}),
      model: this.#info.name,
    };
  }

  /**
   * The probability that the best hypothesis is right.
   * @param {Found} found
   * @param {number} unread how many strokes it leaves unread
   * @param {SearchSettings} search
   * @param {Agreement | null} agreement of all that were asked, after a vote
   */
  confidence(found, unread, search, agreement = null) {
    const evidence = evidenceOf(found.hypotheses, search.beam);
    const own = expressionConfidence(this.#info.calibration, evidence);
    // One model that followed a single hypothesis has no rivals to agree against.
    const hasRivals = evidence.lead !== null || agreement?.kind.startsWith('several');
    return (agreement && hasRivals ? withAgreement(own, agreement) : own) * (unread ? UNREAD : 1);
  }

  /** The strokes that no symbol of a hypothesis explains. @param {readonly Stroke[]} ink @param {Hypothesis} hypothesis */
  unread(ink, hypothesis) {
    return strokesNotIn(this.segmented(ink, hypothesis).groups, ink);
  }

  /**
   * A hypothesis as the places of its symbols tell, null where it stands as it says.
   * @param {readonly Stroke[]} ink
   * @param {Hypothesis} hypothesis
   * @param {import('./constraint.js').Constraint} constraint
   */
  asItStands(ink, hypothesis, constraint) {
    const { tokens, groups } = this.segmented(ink, hypothesis);
    return asItStands(ink, tokens, groups, (label) => constraint.allows(label));
  }

  /** A hypothesis's tokens, where it looked, and the strokes of each of them. @param {readonly Stroke[]} ink @param {Hypothesis} hypothesis */
  segmented(ink, hypothesis) {
    const known = this.#segmented.get(hypothesis);
    if (known) return known; // a vote is repeated with every further reading
    const tokens = this.decoded(hypothesis.tokens);
    const shares = strokeShares(hypothesis.alphas);
    const segmented = { tokens, shares, groups: readStrokes(ink, tokens, segment(shares, isWritten(tokens)), shares) };
    this.#segmented.set(hypothesis, segmented);
    return segmented;
  }

  /**
   * The answer has its confidence; the others share at most the rest, in proportion to their scores. None has more than
   * the answer, even if one reading found it likelier than all of them together do.
   * @param {Found} found
   * @param {number} confidence
   * @returns {Alternative[]}
   */
  #alternatives({ hypotheses }, confidence) {
    const shares = hypotheses.map(({ score }) => confidence * Math.exp(Math.min(score - hypotheses[0].score, 0)));
    const others = shares.slice(1).reduce((sum, share) => sum + share, 0);
    const scale = others > 1 - confidence ? (1 - confidence) / others : 1;
    return hypotheses.map(({ tokens: numbers, score }, i) => {
      const tokens = this.decoded(numbers);
      return { latex: latexFromTokens(tokens), tokens, score, probability: i ? shares[i] * scale : shares[i] };
    });
  }

  /**
   * @param {readonly Stroke[]} ink
   * @param {string[]} tokens
   * @param {number[][]} groups
   * @param {number[]} logProbs
   * @param {Candidates} candidates
   * @returns {RecognizedSymbol[]}
   */
  #symbolsOf(ink, tokens, groups, logProbs, candidates) {
    const written = isWritten(tokens);
    return tokens.flatMap((token, index) => (written[index] ? [{
      token,
      index,
      strokes: groups[index],
      box: groups[index].length ? boxOf(groups[index].map((stroke) => ink[stroke])) : null,
      confidence: rounded(symbolConfidence(this.#info.calibration, logProbs[index]), DIGITS),
      candidates: candidates.of(index).map(shownCandidate),
    }] : []));
  }

  /** The symbols that an answer of this search may have. @param {SearchSettings} search @returns {ReadonlySet<string>} */
  #permitted({ allow, forbid }) {
    return new Set([...this.#symbols].filter((symbol) => (!allow || allow.includes(symbol)) && !forbid.includes(symbol)));
  }

  /** The tokens of these numbers. @param {readonly number[]} numbers */
  decoded(numbers) {
    return numbers.map((number) => this.#info.vocabulary[number]);
  }
}

/** @param {number[][]} groups @param {readonly Stroke[]} ink */
function strokesNotIn(groups, ink) {
  const read = new Set(groups.flat());
  return ink.flatMap((_, stroke) => (read.has(stroke) ? [] : [stroke]));
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
