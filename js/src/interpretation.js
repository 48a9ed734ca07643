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
   * @param {number | null} agreement the best hypothesis's share of the votes, if several models have voted
   * @returns {Answer}
   */
  answer(ink, found, search, formats, agreement = null) {
    const [best] = found.hypotheses;
    const tokens = this.#decoded(best.tokens);
    const { shares, groups } = this.#strokes(ink, found);
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
   * @param {number | null} agreement its share of the votes, if several models have voted
   */
  confidence(found, unread, search, agreement = null) {
    const evidence = evidenceOf(found.hypotheses, search.beam);
    const own = expressionConfidence(this.#info.calibration, evidence);
    return (agreement === null ? own : withAgreement(own, agreement)) * (unread ? UNREAD : 1);
  }

  /** The strokes that no symbol of the best hypothesis explains. @param {readonly Stroke[]} ink @param {Found} found */
  unread(ink, found) {
    return strokesNotIn(this.#strokes(ink, found).groups, ink);
  }

  /**
   * The best hypothesis as the places of its symbols tell, null where it stands as it says.
   * @param {readonly Stroke[]} ink
   * @param {Found} found
   * @param {import('./constraint.js').Constraint} constraint
   */
  asItStands(ink, found, constraint) {
    const tokens = this.#decoded(found.hypotheses[0].tokens);
    return asItStands(ink, tokens, this.#strokes(ink, found).groups, (label) => constraint.allows(label));
  }

  /** Where the best hypothesis looked, and the strokes of each of its tokens. @param {readonly Stroke[]} ink @param {Found} found */
  #strokes(ink, found) {
    const tokens = this.#decoded(found.hypotheses[0].tokens);
    const shares = strokeShares(found.alphas);
    return { shares, groups: readStrokes(ink, tokens, segment(shares, isWritten(tokens)), shares) };
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
      const tokens = this.#decoded(numbers);
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

  /** @param {number[]} numbers */
  #decoded(numbers) {
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
