import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Fluency, LanguageModel } from '../src/language.js';
import { A_TOKEN } from '../src/tables.js';

const SYMBOLS = 3; // the end token among them

class Tensor {
  /** @param {string} type @param {BigInt64Array} data @param {number[]} dims */
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
}

/** A graph in which token t has -t - 1 nats in each place of the first answer, and ten less in each further one. @param {number[][]} seen */
const session = (seen, broken = false) => ({
  outputMetadata: [{ name: 'log_probs', isTensor: true, shape: ['A', 'T', SYMBOLS] }],
  async run(/** @type {any} */ { answers: { data, dims: [count, width] } }) {
    seen.push([...data].map(Number));
    const data2 = Float32Array.from({ length: count * width * SYMBOLS }, (_, at) => (
      -(at % SYMBOLS) - 1 - 10 * Math.floor(at / SYMBOLS / width)
    ));
    return { log_probs: { data: broken ? data2.fill(NaN) : data2 } };
  },
  async release() {},
});

/** @param {any} graph */
const model = (graph) => new LanguageModel(/** @type {any} */ ({ Tensor }), graph);

test('an answer is as likely as its tokens and its end, and each token is worth something', async () => {
  /** @type {number[][]} */
  const seen = [];
  const found = await model(session(seen)).fluency([[1, 2], [2]]);
  assert.deepEqual(seen, [[1, 2, 0, 2, 0, 0]]);
  assert.deepEqual(found, [-2 - 3 - 1 + 2 * A_TOKEN, -13 - 11 + A_TOKEN]);
});

test('what is no number is refused', async () => {
  await assert.rejects(model(session([], true)).fluency([[1]]), { code: 'model.damaged' });
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
