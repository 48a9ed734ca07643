// Beam search over the hypotheses of one ink.

/** @typedef {import('./network.js').Network} Network */
/** @typedef {import('./grammar.js').State} State */
/**
 * A finished expression; the end token is left out of `tokens` but counts in `score`.
 * @typedef {object} Hypothesis
 * @property {number[]} tokens
 * @property {number[]} logProbs of each token, and of the end token last
 * @property {number} score their sum, divided by length ** length_power
 */
/** @typedef {{hypotheses: Hypothesis[], alphas: Float32Array[]}} Found best first, and where the best one looked, (C, M) */
/** @typedef {{parent: number[], token: number[], logProb: number[], alphas: Float32Array}} Step its hypotheses */
/** @typedef {{score: number, logProb: number, step: number, row: number}} Finished */
/** @typedef {{score: number, row: number, token: number}} Continuation */

const END = 0;

/** One search; finished hypotheses are read backwards over the steps. */
export class BeamSearch {
  #network;
  #constraint;
  #settings;
  #slots; // hypotheses that may live; a finished one takes its slot with it
  #bar = -Infinity; // a live hypothesis below it is dropped
  /** @type {Step[]} */
  #steps = [];
  /** @type {Finished[]} */
  #finished = [];

  /**
   * @param {Network} network
   * @param {import('./constraint.js').Constraint} constraint
   * @param {import('./search.js').SearchSettings} settings
   */
  constructor(network, constraint, settings) {
    this.#network = network;
    this.#constraint = constraint;
    this.#settings = settings;
    this.#slots = settings.beam;
  }

  /**
   * The answers of an encoded ink.
   * @param {import('./network.js').Encoded} encoded
   * @param {number} limit of tokens, the end token included
   * @param {number} start the token before the first
   * @returns {Promise<Found>}
   */
  async run({ memories, state: before }, limit, start) {
    let [token, parent, logProb, score] = [[start], [0], [0], [0]];
    let state = before;
    /** @type {State[]} */
    let grammar = [this.#constraint.start];
    while (token.length) {
      const result = await this.#network.step(token, state, memories);
      this.#steps.push({ parent, token, logProb, alphas: result.alphas });
      const budget = limit - this.#steps.length + 1;
      const votes = this.#votes(result.logProbs, grammar, budget);
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
   * @param {number} budget
   * @returns {Float64Array[]}
   */
  #votes(logProbs, grammar, budget) {
    const vocabulary = logProbs.length / grammar.length;
    return grammar.map((state, row) => {
      const permits = this.#constraint.permits(state, budget);
      const votes = new Float64Array(logProbs.subarray(row * vocabulary, (row + 1) * vocabulary));
      return votes.map((vote, token) => (permits[token] ? vote : -Infinity));
    });
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
      if (one.token === END) this.#finish(one.row, one.score, votes[one.row][END]);
      else live.push(one);
    }
    return live.slice(0, this.#slots).filter(({ score }) => score >= this.#bar);
  }

  /** @param {number} row @param {number} score @param {number} logProb */
  #finish(row, score, logProb) {
    const { length_power: power, spread } = this.#settings;
    const length = this.#steps.length;
    this.#finished.push({ score: score / length ** power, logProb, step: length - 1, row });
    this.#slots -= 1;
    if (power === 0) this.#bar = Math.max(this.#bar, score - spread); // else a longer one may still overtake
  }

  /** @returns {Found} */
  #found() {
    const ranked = [...this.#finished].sort((a, b) => b.score - a.score);
    const paths = ranked.map((finished) => this.#path(finished));
    const hypotheses = ranked.map((finished, i) => {
      const walked = paths[i].slice(1).map((row, at) => ({ step: this.#steps[at + 1], row }));
      return {
        tokens: walked.map(({ step, row }) => step.token[row]),
        logProbs: [...walked.map(({ step, row }) => step.logProb[row]), finished.logProb],
        score: finished.score,
      };
    });
    return { hypotheses, alphas: this.#alphas(paths[0].slice(0, -1)) };
  }

  /** The row of every step up to the one in which a hypothesis ended. @param {Finished} finished */
  #path(finished) {
    const path = [finished.row];
    for (let at = finished.step; at > 0; at -= 1) path.push(this.#steps[at].parent[path[path.length - 1]]);
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
