// Beam search over the hypotheses of one ink.

import { InkscanError } from './errors.js';
import { tokensToFinish } from './grammar.js';
import { GROWTH, WINDOW } from './tables.js';

/** @typedef {import('./network.js').Network} Network */
/** @typedef {import('./grammar.js').State} State */
/**
 * A finished expression; the end token is left out of `tokens` but counts in `score`.
 * @typedef {object} Hypothesis
 * @property {number[]} tokens
 * @property {number[]} logProbs of each token, and of the end token last
 * @property {number} score their sum less what the judge counts against it, divided by length ** length_power
 * @property {Float32Array[]} alphas where it looked, (C, M)
 */
/** @typedef {{hypotheses: Hypothesis[]}} Found best first */
/** @typedef {{parent: number[], token: number[], logProb: number[], alphas: Float32Array}} Step its hypotheses */
/** @typedef {{total: number, logProb: number, step: number, row: number}} Finished the sum, and the end token's share */
/** @typedef {{score: number, row: number, token: number}} Continuation */

export const END_NUMBER = 0;

/** One search; finished hypotheses are read backwards over the steps. */
export class BeamSearch {
  #network;
  #constraint;
  #judge;
  #settings;
  #signal;
  #limit; // of tokens, the end token included
  #slots; // hypotheses that may live; a finished one takes its slot with it
  #bar = -Infinity; // a live hypothesis below it is dropped
  /** @type {Step[]} */
  #steps = [];
  /** @type {Finished[]} */
  #finished = [];

  /**
   * @param {Network} network
   * @param {import('./constraint.js').Constraint} constraint
   * @param {import('./judge.js').Judge} judge
   * @param {import('./search.js').SearchSettings} settings
   * @param {import('./search.js').Bounds} bounds
   * @param {AbortSignal | undefined} signal asked between the steps
   */
  constructor(network, constraint, judge, settings, bounds, signal) {
    this.#network = network;
    this.#constraint = constraint;
    this.#judge = judge;
    this.#settings = settings;
    this.#signal = signal;
    this.#limit = bounds.tokens;
    this.#slots = bounds.hypotheses;
  }

  /**
   * The answers of an encoded ink.
   * @param {import('./network.js').Encoded} encoded
   * @param {number} start the token before the first
   * @returns {Promise<Found>}
   */
  async run({ memories, state: before }, start) {
    let [token, parent, logProb, score] = [[start], [0], [0], [0]];
    let state = before;
    /** @type {State[]} */
    let grammar = [this.#constraint.start];
    while (token.length) {
      await this.#pause();
      const result = await this.#network.step(token, state, memories);
      this.#steps.push({ parent, token, logProb, alphas: result.alphas });
      const stopped = this.#steps.length % WINDOW === 0 ? this.#runaways(grammar) : [];
      const votes = this.#votes(result.logProbs, grammar, stopped);
      const chosen = this.#choose(votes, score);
      parent = chosen.map(({ row }) => row);
      token = chosen.map((one) => one.token);
      logProb = chosen.map((one) => votes[one.row][one.token]);
      score = chosen.map((one) => one.score);
      grammar = chosen.map((one) => this.#constraint.advance(grammar[one.row], one.token));
      state = this.#network.take(result.state, parent);
    }
    return this.#found();
  }

  /**
   * Log-probabilities a hypothesis, -Infinity where the grammar permits no such token.
   * @param {Float32Array} logProbs
   * @param {State[]} grammar
   * @param {number[]} stopped hypotheses that may not go on
   * @returns {Float64Array[]}
   */
  #votes(logProbs, grammar, stopped) {
    const vocabulary = logProbs.length / grammar.length;
    const budget = this.#limit - this.#steps.length + 1;
    return grammar.map((state, row) => {
      if (stopped.includes(row)) return new Float64Array(vocabulary).fill(-Infinity);
      const permits = this.#constraint.permits(state, budget);
      const votes = new Float64Array(logProbs.subarray(row * vocabulary, (row + 1) * vocabulary));
      return votes.map((vote, token) => (permits[token] ? vote : -Infinity));
    });
  }

  /** Lets others have their turn, so that a caller can give up. */
  async #pause() {
    if (!this.#signal) return;
    await nextTask();
    if (this.#signal.aborted) throw new InkscanError('Cancelled', 'nobody waits for this recognition any more');
  }

  /**
   * The hypotheses that go round in circles; where there are no others, they must come to an end.
   * @param {State[]} grammar
   * @returns {number[]}
   */
  #runaways(grammar) {
    const circling = grammar.flatMap((_, row) => (this.#newlyRead(row) < 1 ? [row] : []));
    if (circling.length < grammar.length) return circling;
    this.#limit = this.#steps.length - 1 + Math.max(...grammar.map(tokensToFinish));
    return [];
  }

  /** How many strokes a hypothesis has looked at first in the last steps. @param {number} row */
  #newlyRead(row) {
    const looked = this.#alphas(this.#path(this.#steps.length - 1, row));
    const [before, now] = [looked.slice(0, -WINDOW), looked].map((rows) => (
      Array.from(looked[0], (_, stroke) => Math.min(1, rows.reduce((sum, alpha) => sum + alpha[stroke], 0)))
    ));
    return now.reduce((sum, share, stroke) => sum + share - before[stroke], 0);
  }

  /**
   * The best continuations that live on; those that end are put away.
   * @param {Float64Array[]} votes
   * @param {number[]} scores
   * @returns {Continuation[]}
   */
  #choose(votes, scores) {
    const best = bestContinuations(votes, scores, this.#slots);
    if (!best.length) return [];
    const bar = best[0].score - this.#settings.margin;
    /** @type {Continuation[]} */
    const live = [];
    for (const one of best) {
      if (one.score < bar) break;
      if (one.token === END_NUMBER) this.#finish(one.row, one.score, votes[one.row][END_NUMBER]);
      else live.push(one);
    }
    return live.slice(0, this.#slots).filter(({ score }) => score >= this.#bar);
  }

  /** @param {number} row @param {number} score @param {number} logProb */
  #finish(row, score, logProb) {
    const { length_power: power, spread } = this.#settings;
    this.#finished.push({ total: score, logProb, step: this.#steps.length - 1, row });
    this.#slots -= 1;
    this.#bar = Math.max(this.#bar, (score - spread) * GROWTH ** power); // one that grew to this length could not overtake
  }

  /** @returns {Found} */
  #found() {
    const hypotheses = this.#finished.map((finished) => this.#hypothesis(finished));
    return { hypotheses: hypotheses.sort((a, b) => b.score - a.score) };
  }

  /** @param {Finished} finished @returns {Hypothesis} */
  #hypothesis({ total, logProb, step: last, row: end }) {
    const path = this.#path(last, end);
    const walked = path.slice(1).map((row, at) => ({ step: this.#steps[at + 1], row }));
    const tokens = walked.map(({ step, row }) => step.token[row]);
    const against = this.#judge.against(tokens, this.#settings);
    return {
      tokens,
      logProbs: [...walked.map(({ step, row }) => step.logProb[row]), logProb],
      score: (total - against) / path.length ** this.#settings.length_power,
      alphas: this.#alphas(path.slice(0, -1)),
    };
  }

  /** The rows of a hypothesis in every step up to the last. @param {number} last @param {number} row */
  #path(last, row) {
    const path = [row];
    for (let at = last; at > 0; at -= 1) path.push(this.#steps[at].parent[path[path.length - 1]]);
    return path.reverse();
  }

  /** The attentions along a path. @param {number[]} path */
  #alphas(path) {
    return path.map((row, at) => {
      const { alphas, token } = this.#steps[at];
      const width = alphas.length / token.length;
      return alphas.subarray(row * width, (row + 1) * width);
    });
  }
}

/**
 * The likeliest continuations that the grammar permits, best first.
 * @param {Float64Array[]} votes
 * @param {number[]} scores of the hypotheses
 * @param {number} count
 * @returns {Continuation[]}
 */
function bestContinuations(votes, scores, count) {
  /** @type {Continuation[]} */
  const best = [];
  votes.forEach((row, r) => row.forEach((vote, token) => {
    const score = scores[r] + vote;
    if (score === -Infinity || (best.length === count && score <= best[count - 1].score)) return;
    let at = best.length === count ? count - 1 : best.length;
    for (; at > 0 && best[at - 1].score < score; at -= 1) best[at] = best[at - 1];
    best[at] = { score, row: r, token };
  }));
  return best;
}

/** What waits in the queue of the thread, such as a message, goes first. @returns {Promise<void>} */
function nextTask() {
  if ('setImmediate' in globalThis) return new Promise((resolve) => { setImmediate(resolve); });
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });
}
