import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Fluency, LanguageModel } from '../src/language.js';
import { A_TOKEN } from '../src/tables.js';

const VOCABULARY = ['<eos>', 'x', 'y'];
const SYMBOLS = VOCABULARY.length;

class Tensor {
  /** @param {string} type @param {BigInt64Array} data @param {number[]} dims */
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
}

/** A graph in which token t has -t - 1 nats in each place of the first answer, and ten less in each further one. @param {number[][]} seen */
const session = (seen, broken = (/** @type {Float32Array} */ found) => found) => ({
  inputNames: ['answers'],
  outputMetadata: [{ name: 'log_probs', isTensor: true, shape: ['A', 'T', SYMBOLS] }],
  async run(/** @type {any} */ { answers: { data, dims: [count, width] } }) {
    seen.push([...data].map(Number));
    const found = Float32Array.from({ length: count * width * SYMBOLS }, (_, at) => (
      -(at % SYMBOLS) - 1 - 10 * Math.floor(at / SYMBOLS / width)
    ));
    return { log_probs: { data: broken(found) } };
  },
  async release() {},
});

/** @param {any} graph */
const model = (graph, vocabulary = VOCABULARY) => new LanguageModel(/** @type {any} */ ({ Tensor }), graph, vocabulary);

test('an answer is as likely as its tokens and its end, and each token is worth something', async () => {
  /** @type {number[][]} */
  const seen = [];
  const found = await model(session(seen)).fluency([[1, 2], [2]]);
  assert.deepEqual(seen, [[1, 2, 0, 2, 0, 0]]);
  assert.deepEqual(found, [-2 - 3 - 1 + 2 * A_TOKEN, -13 - 11 + A_TOKEN]);
});

test('what are no log-probabilities is refused', async () => {
  for (const broken of [(found) => found.fill(NaN, 5), (found) => found.subarray(3)]) { // a place that nobody asks for, too few
    await assert.rejects(model(session([], broken)).fluency([[1]]), { code: 'model.damaged' });
  }
});

test('many answers are looked at some at a time', async () => {
  /** @type {number[][]} */
  const seen = [];
  const answers = Array(5).fill(Array(2_500).fill(1));
  const found = await model(session(seen)).fluency(answers);
  assert.deepEqual(seen.map(({ length }) => length), [3 * 2_501, 2 * 2_501]);
  assert.equal(found.length, 5);
});

test('a graph of another vocabulary, or that takes something else, is refused and its memory given back', async () => {
  for (const [symbols, inputs] of [[4, ['answers']], [3, ['pictures']], [3, ['answers']]]) {
    let released = 0;
    const graph = { ...session([]), inputNames: inputs, async release() { released += 1; } };
    const ort = /** @type {any} */ ({ Tensor, InferenceSession: { create: async () => graph } });
    const opened = LanguageModel.open(ort, new Uint8Array(), Array(symbols).fill('x'));
    if (symbols === SYMBOLS && inputs[0] === 'answers') await (await opened).close();
    else await assert.rejects(opened, { code: 'model.damaged', message: /language\.onnx/ });
    assert.equal(released, 1);
  }
});

test('accents are not judged, their letters are', async () => {
  const vocabulary = ['<eos>', 'x', '\\hat', '{', '}', '^', '\\vec'];
  const numbers = (/** @type {string} */ text) => text.split(' ').map((token) => vocabulary.indexOf(token));
  for (const [said, judged] of [
    ['\\hat { x }', 'x'], ['x ^ { \\hat { x } }', 'x ^ { x }'], ['\\vec { x ^ { \\hat { x } } } ^ { x }', 'x ^ { x } ^ { x }'], ['{ x }', '{ x }'],
  ]) {
    /** @type {number[][]} */
    const seen = [];
    const broken = () => new Float32Array((judged.split(' ').length + 1) * vocabulary.length);
    await model(session(seen, broken), vocabulary).fluency([numbers(said)]);
    assert.deepEqual(seen, [[...numbers(judged), 0]]);
  }
});

test('each answer is looked at once', async () => {
  /** @type {number[][]} */
  const seen = [];
  const fluency = new Fluency(model(session(seen)));
  const [first] = await fluency.of([[1, 2]]);
  assert.deepEqual(await fluency.of([[1, 2]]), [first]);
  await fluency.of([[2], [1, 2]]);
  assert.deepEqual(seen, [[1, 2, 0], [2, 0]]);
});
