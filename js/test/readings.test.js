import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readInk } from '../src/ink.js';
import { forward } from '../src/forward.js';
import { inMendedOrder } from '../src/mended.js';
import { inReadingOrder } from '../src/order.js';
import { ReadingPlan, isNear } from '../src/readings.js';
import { Reader } from '../src/reader.js';
import { Recognizer } from '../src/recognizer.js';
import { TWICE_STROKES } from '../src/tables.js';
import { golden } from './golden.js';

const VOCABULARY = ['<eos>', '1', '2', '3'];
const FORMATS = ['alternatives', 'symbols', 'alignment'];
const UPRIGHT = [200, 0, 100].map((x) => [[x, 0], [x + 20, 50]]); // the last one is written first

test('the reading order and the mended order are those of Python', () => {
  for (const { strokes, order, mended } of golden.orders) {
    assert.deepEqual(inReadingOrder(readInk(strokes)), order);
    assert.deepEqual(inMendedOrder(readInk(strokes), order), mended);
  }
  assert.ok(golden.orders.some(({ order, mended }) => String(order) !== String(mended) && mended.some((stroke, at) => stroke !== at)));
});

test('a fraction is read from above and a root from outside', () => {
  const [bar, above, below, after] = [
    [[0, 10], [40, 10]], [[15, 0], [25, 6]], [[15, 14], [25, 20]], [[60, 5], [70, 15]],
  ];
  assert.deepEqual(inReadingOrder(readInk([after, below, bar, above])), [3, 2, 1, 0]);
  const [root, inside] = [[[0, 10], [5, 20], [10, 0], [60, 0]], [[20, 5], [30, 18]]];
  assert.deepEqual(inReadingOrder(readInk([inside, root])), [1, 0]);
});

test('very long ink is read once', () => {
  const backwards = (count) => readInk(Array.from({ length: count }, (_, i) => [[-20 * i, 0], [-20 * i, 10]]));
  const read = [/** @type {any} */ ({ found: { hypotheses: [{ tokens: [1], logProbs: [-9] }] }, unread: 0 })];
  assert.ok(new ReadingPlan(backwards(TWICE_STROKES), true).next(read));
  assert.equal(new ReadingPlan(backwards(TWICE_STROKES + 1), true).next(read), null);
});

/**
 * A recogniser whose network reads a stroke a step, each with the digit of its step.
 * @param {object} info
 * @param {(isInOrder: boolean) => number} sureness the log-probability of each token
 * @param {(isInOrder: boolean) => number[]} digits what it reads
 */
function recognizer(info, sureness, digits = () => [1, 2, 3]) {
  const encoded = [];
  const network = {
    encoded,
    take: (state) => state,
    async encode({ trace: { features, strokeLengths } }) {
      const starts = strokeLengths.map((_, i) => features[8 * strokeLengths.slice(0, i).reduce((a, b) => a + b, 0)]);
      const isInOrder = starts.every((x, i) => i === 0 || x > starts[i - 1]);
      encoded.push(isInOrder);
      return { memories: { isInOrder, at: { step: 0 } }, state: {} };
    },
    async step(tokens, _, { isInOrder, at }) {
      const alphas = new Float32Array(tokens.length * UPRIGHT.length).fill(0.05);
      tokens.forEach((__, row) => { alphas[row * UPRIGHT.length + Math.min(at.step, 2)] = 0.9; });
      const likely = [...digits(isInOrder), 0][at.step];
      at.step += 1;
      const votes = VOCABULARY.map((__, token) => (token === likely ? sureness(isInOrder) : -50));
      return { logProbs: Float32Array.from(tokens.flatMap(() => votes)), state: {}, alphas };
    },
  };
  const described = { name: 'fake', vocabulary: VOCABULARY, features: { spacing: 0.25 }, length_power: 0, calibration: null };
  const reader = new Reader(/** @type {any} */ ({ ...described, ...info }), /** @type {any} */ (network));
  return { network, reader, reads: new Recognizer(reader) };
}

const strokesOf = ({ symbols }) => symbols.map(({ strokes }) => strokes);
const looked = ({ alignment }) => alignment.map((row) => row.indexOf(Math.max(...row)));

test('an answer to the reading order has the strokes numbered as written', async () => {
  const { reads, network } = recognizer({ reading_order: true }, (isInOrder) => (isInOrder ? -0.1 : -0.5));
  const answer = await reads.recognize(UPRIGHT, { formats: FORMATS });
  assert.deepEqual(network.encoded, [false, true]);
  assert.deepEqual(answer.tokens, ['1', '2', '3']);
  assert.deepEqual(strokesOf(answer), [[1], [2], [0]]);
  assert.deepEqual(answer.symbols?.map(({ box }) => box?.left), [0, 100, 200]);
  assert.deepEqual(looked(answer), [1, 2, 0]);
});

test('unread strokes are numbered as written, too', async () => {
  const { reads } = recognizer({ reading_order: true }, (isInOrder) => (isInOrder ? -0.1 : -0.5), () => [1, 2]);
  const answer = await reads.recognize(UPRIGHT);
  assert.deepEqual([strokesOf(answer), answer.unread], [[[1], [2]], [0]]);
});

test('of readings that are alike the one as written counts, and no expression is there twice', async () => {
  const { reads } = recognizer({ reading_order: true }, () => -0.1);
  const answer = await reads.recognize(UPRIGHT, { formats: FORMATS });
  assert.deepEqual(strokesOf(answer), [[0], [1], [2]]);
  assert.equal(answer.alternatives?.filter(({ latex }) => latex === answer.latex).length, 1);
});

test('the answer of the other reading is an alternative', async () => {
  const { reads } = recognizer(
    { reading_order: true }, (isInOrder) => (isInOrder ? -0.1 : -0.5), (isInOrder) => (isInOrder ? [1, 2, 3] : [3, 2, 1]),
  );
  const { alternatives } = await reads.recognize(UPRIGHT);
  assert.deepEqual(alternatives?.slice(0, 2).map(({ tokens }) => tokens.join('')), ['123', '321']);
});

test('an answer that leaves strokes unread loses to one that reads them all, however likely it is', async () => {
  const { reads } = recognizer(
    { reading_order: true }, (isInOrder) => (isInOrder ? -0.9 : -0.1), (isInOrder) => (isInOrder ? [1, 2, 3] : [1, 2]),
  );
  const answer = await reads.recognize(UPRIGHT);
  assert.deepEqual([answer.tokens, answer.unread], [['1', '2', '3'], []]);
  assert.deepEqual(answer.alternatives?.slice(0, 2).map(({ tokens }) => tokens.join('')), ['123', '12']);
  const [first, second] = answer.alternatives?.map(({ probability }) => probability) ?? [];
  assert.ok(first + second <= 1);
});

test('ink nearly in reading order is read once if the answer is sure', async () => {
  const [second, first, third] = [100, 0, 200].map((x) => [[x, 0], [x + 20, 50]]);
  for (const [sureness, encoded] of /** @type {[number, boolean[]][]} */ ([[-0.1, [false]], [-0.2, [false, true]]])) {
    const { reads, network } = recognizer({ reading_order: true }, () => sureness);
    await reads.recognize([second, first, third]);
    assert.deepEqual(network.encoded, encoded);
  }
  const { reads, network } = recognizer({ reading_order: true }, () => -0.1, (isInOrder) => (isInOrder ? [1, 2, 3] : [1, 2]));
  assert.deepEqual((await reads.recognize([second, first, third])).unread, []);
  assert.deepEqual(network.encoded, [false, true]); // a stroke was left unread
});

test('straight strokes are turned forward, and what bends or leans stays', () => {
  const [bar, upright] = [[[0, 5], [10, 6], [30, 5]], [[5, 0], [6, 10], [5, 30]]];
  const bent = [[[10, 10], [0, 0]], [[20, 0], [0, 15], [20, 30]], [[20, 0], [0, 0], [20, 1], [3, 2]], [[4, 4]]];
  assert.deepEqual(forward(readInk([[...bar].reverse(), [...upright].reverse(), ...bent])), readInk([bar, upright, ...bent]));
});

test('ink in reading order with a bar from its right end is read twice if the answer is not sure', async () => {
  const ink = [[[0, 0], [20, 50]], [[130, 25], [100, 25]], [[200, 0], [220, 50]]];
  for (const [sureness, count] of [[-0.1, 1], [-0.2, 2]]) {
    const { reads, network } = recognizer({ reading_order: true }, () => sureness);
    await reads.recognize(ink);
    assert.equal(network.encoded.length, count);
  }
});

test('no alternative is more probable than the answer, even if one reading found it likelier', async () => {
  const { reads } = recognizer(
    { reading_order: true }, (isInOrder) => (isInOrder ? -0.9 : -0.1), (isInOrder) => (isInOrder ? [1, 2, 3] : [1, 2]),
  );
  const [answer, ...others] = (await reads.recognize(UPRIGHT)).alternatives ?? [];
  assert.ok(others[0].score > answer.score);
  for (const { probability } of others) assert.ok(probability <= answer.probability);
});

test('orders that hardly differ', () => {
  for (const order of [[0, 1, 2, 3], [1, 0, 2, 3], [1, 0, 3, 2]]) assert.ok(isNear(order));
  for (const order of [[3, 0, 1, 2], [2, 0, 1, 3], [1, 2, 3, 0]]) assert.ok(!isNear(order));
});

test('ink is read once by a model without the reading order, and where it was written in it', async () => {
  for (const info of [{}, { reading_order: false }]) {
    const { reads, network } = recognizer(info, (isInOrder) => (isInOrder ? -0.1 : -0.5));
    assert.deepEqual(strokesOf(await reads.recognize(UPRIGHT)), [[0], [1], [2]]);
    assert.deepEqual(network.encoded, [false]);
  }
  const { reads, network } = recognizer({ reading_order: true }, () => -0.1);
  await reads.recognize([...UPRIGHT].sort(([[a]], [[b]]) => a - b));
  assert.deepEqual(network.encoded, [true]);
});
