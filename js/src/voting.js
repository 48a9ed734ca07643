// Voting: the answer for which several readings of an ink speak most, and what its symbols look like.
// Each reading votes for all its hypotheses, the likelier the louder. An answer that says the same letters again has more
// votes: who has written an x and a c writes them again sooner than another letter of that shape. Where a classifier of
// single symbols is at hand, it weighs the answers that come close: it has seen shapes alone, so it errs elsewhere than
// those who read. And so does a language model, which has seen formulas alone.

import { CLOSE, LETTERS, RIVALS, TRUST } from './tables.js';

/** @typedef {import('./beam.js').Found} Found */
/** @typedef {import('./beam.js').Hypothesis} Hypothesis */
/** @typedef {import('./readings.js').Read} Read */
/** @typedef {import('./search.js').SearchSettings} SearchSettings */
/** @typedef {import('./shapes.js').Shapes} Shapes */
/** @typedef {import('./language.js').Fluency} Fluency */
/** @typedef {{read: Read, hypothesis: Hypothesis, key: string, unread: number}} Candidate an answer, in the reading that it is taken from */
/** @typedef {{share: number, kind: string}} Agreement the answer's part of what it and its rivals weigh, and the vote that it was */

/**
 * The reading with the answer that weighs most, that answer first; one that leaves strokes unread which another reading's
 * answer reads is out.
 * @param {readonly Read[]} read
 * @param {SearchSettings} search
 * @param {Shapes | null} shapes
 * @param {Fluency | null} fluency
 * @returns {Promise<Read & {agreement: Agreement}>}
 */
export async function bestReading(read, search, shapes = null, fluency = null) {
  const weights = votesOf(read, search);
  const looks = search.shapes > 0 ? shapes : null;
  const speech = search.fluency > 0 ? fluency : null;
  const isWeighed = looks !== null || speech !== null;
  const candidates = close(read, firsts(read), weights, isWeighed ? CLOSE : 0);
  if (isWeighed && candidates.length > 1) await weigh(candidates, weights, search, looks, speech);
  const weightOf = (/** @type {Candidate} */ { key }) => weights.get(key) ?? -Infinity;
  const best = candidates.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  const areSeveral = read.some(({ interpreter }) => interpreter !== best.read.interpreter);
  const kind = [areSeveral ? 'several' : 'one', ...(isWeighed ? ['weighed'] : [])].join(' ');
  const others = [...weights].filter(([key]) => key !== best.key).map(([, weight]) => weight);
  const rivals = others.sort((a, b) => b - a).slice(0, RIVALS);
  const share = Math.exp(weightOf(best) - sumOfLogs([weightOf(best), ...rivals]));
  const found = merged(best.hypothesis, read.map((one) => one.found));
  return { ...best.read, found, unread: best.unread, agreement: { share, kind } };
}

/**
 * The logarithms of what all readings say of each answer, and more for letters that it says again.
 * @param {readonly Read[]} read
 * @param {SearchSettings} search
 */
function votesOf(read, search) {
  /** @type {Map<string, {tokens: readonly number[], votes: number[]}>} */
  const answers = new Map();
  for (const { tokens, score } of read.flatMap(({ found }) => found.hypotheses)) {
    const key = String(tokens);
    const answer = answers.get(key) ?? { tokens, votes: [] };
    answer.votes.push(TRUST * score);
    answers.set(key, answer);
  }
  const { interpreter } = read[0]; // all readers know the same symbols
  return new Map([...answers].map(([key, { tokens, votes }]) => (
    [key, sumOfLogs(votes) + search.repeats * repetition(interpreter.decoded(tokens))]
  )));
}

/** How much an answer says again: the sum over its letters and digits of the logarithm of how often it has each. @param {readonly string[]} tokens */
export function repetition(tokens) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const token of tokens) if (LETTERS.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.log(count), 0);
}

/** @param {readonly number[]} values */
function sumOfLogs(values) {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/** What each reading found likeliest, each answer once. @param {readonly Read[]} read */
function firsts(read) {
  const all = read.map((one) => candidateOf(one, one.found.hypotheses[0], one.unread));
  if (new Set(all.map(({ key }) => key)).size < 2) return oneEach(all);
  const fewest = Math.min(...all.map(({ unread }) => unread));
  return oneEach(all.filter(({ unread }) => unread === fewest));
}

/** @param {Read} read @param {Hypothesis} hypothesis @param {number} unread @returns {Candidate} */
const candidateOf = (read, hypothesis, unread) => ({ read, hypothesis, key: String(hypothesis.tokens), unread });

/**
 * These and other answers that are no more than so much behind the one of them that weighs most.
 * @param {readonly Read[]} read
 * @param {readonly Candidate[]} first
 * @param {ReadonlyMap<string, number>} weights
 * @param {number} behind
 */
function close(read, first, weights, behind) {
  const weightOf = (/** @type {string} */ key) => weights.get(key) ?? -Infinity;
  const leastOf = (/** @type {readonly Candidate[]} */ some) => Math.max(...some.map(({ key }) => weightOf(key))) - behind;
  const least = leastOf(first);
  const mostUnread = Math.max(...first.map(({ unread }) => unread));
  const known = new Set(first.map(({ key }) => key));
  const others = read.flatMap((one) => one.found.hypotheses.slice(1)
    .filter(({ tokens }) => weightOf(String(tokens)) >= least && !known.has(String(tokens)))
    .filter((hypothesis) => one.standsAsSaid(hypothesis))
    .map((hypothesis) => candidateOf(one, hypothesis, one.interpreter.unread(one.reading.ink, hypothesis).length)));
  const candidates = [...first, ...oneEach(others).filter(({ unread }) => unread <= mostUnread)];
  const leastOfAll = leastOf(candidates);
  return candidates.filter(({ key }) => weightOf(key) >= leastOfAll);
}

/** Of those with one answer that which leaves least of the ink unread, then the likeliest. @param {readonly Candidate[]} candidates */
function oneEach(candidates) {
  const ranked = [...candidates].sort((a, b) => a.unread - b.unread || b.hypothesis.score - a.hypothesis.score);
  return ranked.filter(({ key }, at) => ranked.findIndex((other) => other.key === key) === at);
}

/**
 * Give the candidates more or less weight than the one with most votes, by what their symbols look like and by what
 * formulas usually say.
 * @param {readonly Candidate[]} candidates
 * @param {Map<string, number>} weights
 * @param {SearchSettings} search
 * @param {Shapes | null} shapes
 * @param {Fluency | null} fluency
 */
async function weigh(candidates, weights, search, shapes, fluency) {
  const looks = await shapes?.weigh(candidates.map(segmented));
  const fluent = await fluency?.of(candidates.map(({ hypothesis }) => hypothesis.tokens));
  const said = candidates.map((_, at) => search.shapes * (looks?.[at] ?? 0) + search.fluency * (fluent?.[at] ?? 0));
  const votes = candidates.map(({ key }) => weights.get(key) ?? -Infinity);
  const first = votes.indexOf(Math.max(...votes));
  candidates.forEach(({ key }, at) => weights.set(key, votes[at] + said[at] - said[first]));
}

/** Strokes as the ink has them, in whatever order they were read. @param {Candidate} candidate */
function segmented({ read: { interpreter, reading: { ink, order } }, hypothesis }) {
  const { tokens, groups } = interpreter.segmented(ink, hypothesis);
  return { tokens, groups: order ? groups.map((group) => group.map((stroke) => order[stroke]).sort((a, b) => a - b)) : groups };
}

/**
 * The hypotheses of several readings, each expression once; the answer comes first.
 * @param {Hypothesis} answer
 * @param {readonly Found[]} found
 * @returns {Found}
 */
export function merged(answer, found) {
  const rivals = found.flatMap(({ hypotheses }) => hypotheses).sort((a, b) => a.score - b.score);
  const likeliest = new Map(rivals.map((rival) => [String(rival.tokens), rival])); // the last one of each expression
  likeliest.delete(String(answer.tokens));
  return { hypotheses: [answer, ...[...likeliest.values()].sort((a, b) => b.score - a.score)] };
}
