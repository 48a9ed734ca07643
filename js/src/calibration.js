// Calibration: from scores to probabilities of being right, by the regressions that model.json holds.

import { AGREED, FAR, LEAST_SHARE, RIVALS } from './tables.js';

/** @typedef {{expression: number[], without_lead: number[], symbol: number[]}} Calibration */
/** @typedef {{logProbs: readonly number[], lead: number | null}} Evidence lead: null where nobody looked for rivals */

/**
 * What the n-best list tells of its first entry. Of the rivals only as many count as small beams find, too.
 * @param {readonly import('./beam.js').Hypothesis[]} found
 * @param {number} beam
 * @returns {Evidence}
 */
export function evidenceOf(found, beam) {
  const [first, ...others] = found.map(({ logProbs }) => sum(logProbs));
  const rivals = others.sort((a, b) => b - a).slice(0, RIVALS);
  return { logProbs: found[0].logProbs, lead: beam === 1 ? null : first - logSumExp(rivals) };
}

/**
 * The probability that a whole expression is right.
 * @param {Calibration | null} calibration without one, the model's own probability
 * @param {Evidence} evidence
 */
export function expressionConfidence(calibration, evidence) {
  if (!calibration) return Math.exp(sum(evidence.logProbs));
  const weights = evidence.lead === null ? calibration.without_lead : calibration.expression;
  return sigmoid(sum(evidenceValues(evidence).map((value, i) => value * weights[i])));
}

/**
 * How sure an answer is after a vote; of one model's readings alone no vote tells more than these do.
 * @param {number} confidence
 * @param {import('./voting.js').Agreement} agreement
 */
export function withAgreement(confidence, { share, kind }) {
  const weights = AGREED.get(kind);
  if (!weights) return confidence;
  const odds = [confidence, share].map((part) => logOdds(Math.log(Math.max(part, LEAST_SHARE))));
  return sigmoid(weights[0] + weights[1] * odds[0] + weights[2] * odds[1]);
}

/**
 * The probability that a symbol is right.
 * @param {Calibration | null} calibration
 * @param {number} logProb
 */
export function symbolConfidence(calibration, logProb) {
  if (!calibration) return Math.exp(logProb);
  return sigmoid(calibration.symbol[0] + calibration.symbol[1] * logOdds(logProb));
}

/** The numbers that the regression sees, the lead last. @param {Evidence} evidence */
function evidenceValues({ logProbs, lead }) {
  const [total, count] = [sum(logProbs), logProbs.length];
  const worst = Math.max(Math.min(...logProbs), -FAR);
  const values = [1, logOdds(total), Math.max(total / count, -FAR), worst, Math.log(count)];
  return lead === null ? values : [...values, clip(lead, FAR)];
}

/** log p - log (1 - p), within bounds. @param {number} logProb */
function logOdds(logProb) {
  return clip(logProb - Math.log(-Math.expm1(Math.min(logProb, -1e-9))), FAR);
}

/** @param {readonly number[]} values */
function logSumExp(values) {
  const most = Math.max(...values);
  return most === -Infinity ? most : most + Math.log(sum(values.map((value) => Math.exp(value - most))));
}

/** @param {number} value */
const sigmoid = (value) => 1 / (1 + Math.exp(-clip(value, 30)));

/** @param {number} value @param {number} bound */
const clip = (value, bound) => Math.min(Math.max(value, -bound), bound);

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);
