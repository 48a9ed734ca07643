import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AGREED, CLOSE, SEARCH_DEFAULTS, TRUST } from '../src/tables.js';
import { bestReading, repetition } from '../src/voting.js';

/** @typedef {import('../src/readings.js').Read} Read */

const SEARCH = { ...SEARCH_DEFAULTS, shapes: TRUST };
const INTERPRETER = /** @type {any} */ ({
  unread: () => [],
  decoded: (tokens) => tokens.map(String),
  segmented: (_, { tokens }) => ({ tokens: tokens.map(String), groups: [[0]] }),
});

/**
 * Readings with hypotheses of one token and a score.
 * @param {...[token: number, score: number][]} readings
 * @returns {Read[]}
 */
const voting = (...readings) => readings.map((scored, at) => ({
  reading: { ink: [], order: null },
  found: { hypotheses: scored.map(([token, score]) => ({ tokens: [token], logProbs: [score, 0], score, alphas: /** @type {any} */ ([at]) })) },
  unread: 0,
  interpreter: INTERPRETER,
  standsAsSaid: () => true,
  agreement: null,
}));

/** Shapes that look like some tokens. @param {Record<string, number>} looks */
function likes(looks) {
  /** @type {string[][]} */
  const asked = [];
  const shapes = {
    asked,
    async weigh(answers) {
      asked.push(answers.map(({ tokens }) => tokens.join(' ')));
      return answers.map(({ tokens: [token] }) => looks[token] ?? 0);
    },
  };
  return /** @type {any} */ (shapes);
}

/** @param {Read} read */
const answersOf = ({ found }) => found.hypotheses.map(({ tokens: [token] }) => token);

test('the answer that most readings find likely wins, and the hypotheses of all are ranked once', async () => {
  const read = voting([[7, -0.3], [1, -1]], [[5, -0.4], [1, -1]], [[5, -0.4], [1, -1]]);
  const best = await bestReading(read, SEARCH);
  assert.deepEqual(answersOf(best), [5, 7, 1]);
  assert.deepEqual(best.found.hypotheses[0].alphas, [1]);
  assert.deepEqual(answersOf(await bestReading(read.slice(0, 2), SEARCH)), [7, 5, 1]);
  const [first, second] = voting([[1, -2], [2, -5]], [[3, -1], [2, -3]]);
  assert.equal((await bestReading([first, second], SEARCH)).reading, second.reading);
});

test('what symbols look like decides between answers that come close, and the share counts it', async () => {
  const read = voting([[7, -0.3], [1, -0.5]]);
  const [doubted, changed] = [likes({ 1: 0.1 }), likes({ 1: 0.3 })];
  const kept = await bestReading(read, SEARCH, doubted);
  assert.deepEqual([answersOf(kept), doubted.asked], [[7, 1], [['7', '1']]]);
  assert.deepEqual(answersOf(await bestReading(read, SEARCH, changed)), [1, 7]);
  assert.deepEqual(answersOf(await bestReading(read, { ...SEARCH, shapes: 0 }, changed)), [7, 1]);
  const { share, kind } = (await bestReading(read, SEARCH, likes({}))).agreement;
  assert.ok(Math.abs(share - 1 / (1 + Math.exp(-TRUST * 0.2))) < 1e-12 && kind === 'one weighed' && AGREED.has(kind));
  assert.ok((await bestReading(read, SEARCH, likes({ 1: -1 }))).agreement.share > share);
});

test('what formulas usually say decides between answers that come close, alone or with what symbols look like', async () => {
  const read = voting([[7, -0.3], [1, -0.5]]);
  const search = { ...SEARCH, shapes: TRUST, fluency: TRUST };
  /** @type {string[][]} */
  const asked = [];
  const speech = (/** @type {Record<string, number>} */ said) => /** @type {any} */ ({
    async of(answers) {
      asked.push(answers.map(String));
      return answers.map(([token]) => said[token] ?? -9);
    },
  });
  assert.deepEqual(answersOf(await bestReading(read, search, null, speech({ 7: -2, 1: -1.9 }))), [7, 1]);
  const changed = await bestReading(read, search, null, speech({ 7: -2, 1: -1.7 }));
  assert.deepEqual([answersOf(changed), asked[0]], [[1, 7], ['7', '1']]);
  assert.equal(changed.agreement.kind, 'one weighed');
  assert.deepEqual(answersOf(await bestReading(read, search, likes({ 7: 0.2 }), speech({ 7: -2, 1: -1.7 }))), [7, 1]);
  assert.deepEqual(answersOf(await bestReading(read, { ...search, fluency: 0 }, null, speech({ 1: 9 }))), [7, 1]);
  assert.equal(asked.length, 3);
});

test('an answer that says a symbol again has more votes', async () => {
  const [one] = voting([[7, -0.3]]);
  const [other, again] = [[[7, 1, 2], -0.3], [[7, 1, 7], -0.5]].map(([tokens, score]) => ({ tokens, logProbs: [], score, alphas: [] }));
  const read = [{ ...one, found: /** @type {any} */ ({ hypotheses: [other, again] }) }];
  for (const [repeats, chosen] of [[0.8, other], [0.95, again]]) { // times log 2, against 0.6 nats of votes
    assert.deepEqual((await bestReading(read, { ...SEARCH, repeats })).found.hypotheses[0], chosen);
  }
  assert.ok(Math.abs(repetition('x ^ { 2 } + x ^ { 2 } + x + \\pi \\pi'.split(' ')) - Math.log(12)) < 1e-12);
  assert.equal(repetition('( a ) ^ { b } - ( - c ) _ { d }'.split(' ')), 0);
});

test('answers far behind are not looked at, nor is the only one that is left', async () => {
  const shapes = likes({ 1: 99 });
  assert.deepEqual(answersOf(await bestReading(voting([[7, -0.3], [1, -0.4 - CLOSE / TRUST]]), SEARCH, shapes)), [7, 1]);
  assert.deepEqual(answersOf(await bestReading(voting([[7, -0.3]], [[1, -0.4 - CLOSE / TRUST]]), SEARCH, shapes)), [7, 1]);
  assert.deepEqual(shapes.asked, []);
});

test('how far behind is told from the answers that may be chosen', async () => {
  const [leaves, reads] = voting([[9, 2]], [[7, -0.3], [1, -0.4]]);
  const shapes = likes({ 1: 9 });
  const read = [{ ...leaves, unread: 1, interpreter: { ...INTERPRETER, unread: () => [0] } }, reads];
  assert.deepEqual(answersOf(await bestReading(read, SEARCH, shapes))[0], 1);
  assert.deepEqual(shapes.asked, [['7', '1']]);
});

test('an answer whose symbols stand otherwise is none to choose', async () => {
  const [one] = voting([[7, -0.3], [1, -0.31]]);
  for (const [stands, chosen] of [[true, 1], [false, 7]]) {
    const read = [{ ...one, standsAsSaid: () => /** @type {boolean} */ (stands) }];
    assert.deepEqual(answersOf(await bestReading(read, SEARCH, likes({ 1: 9 })))[0], chosen);
  }
});

test('an answer that leaves strokes unread is out whatever it looks like', async () => {
  const [leaves, reads] = voting([[7, -0.3], [1, -0.4]], [[5, -0.6]]);
  const read = [{ ...leaves, unread: 1, interpreter: { ...INTERPRETER, unread: () => [0] } }, reads];
  assert.deepEqual(answersOf(await bestReading(read, SEARCH, likes({ 1: 9, 7: 9 })))[0], 5);
  assert.deepEqual(answersOf(await bestReading(read.slice(0, 1), SEARCH, likes({ 1: 9 })))[0], 1);
});
