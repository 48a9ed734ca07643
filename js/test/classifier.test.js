import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Classifier } from '../src/classifier.js';

const INFO = { name: 'shapes', vocabulary: ['<eos>', 'x'], licence: 'CC0-1.0' };

/**
 * A runtime whose graphs have these widths, and that counts what is given back.
 * @param {number[]} widths of the classifier and of its language model
 */
function runtime(...widths) {
  let released = 0;
  const create = async () => {
    const isFirst = widths.length === 2;
    return {
      inputNames: isFirst ? ['measures', 'pictures'] : ['answers'],
      outputMetadata: [{ name: isFirst ? 'scores' : 'log_probs', isTensor: true, shape: ['N', widths.shift()] }],
      async release() {
        released += 1;
      },
    };
  };
  return { ort: /** @type {any} */ ({ InferenceSession: { create } }), released: () => released };
}

const exported = (/** @type {Uint8Array | null} */ language) => ({ info: INFO, graph: new Uint8Array(), language });

test('a classifier has the language model beside it, and gives the memory of both back', async () => {
  const { ort, released } = runtime(3, 2);
  const both = await Classifier.open(ort, exported(new Uint8Array()));
  assert.ok(both.language);
  await both.close();
  assert.equal(released(), 2);
});

test('a classifier without one has none', async () => {
  const { ort } = runtime(3, 2);
  assert.equal((await Classifier.open(ort, exported(null))).language, null);
});

test('where the language model is of other symbols neither keeps its memory', async () => {
  const { ort, released } = runtime(3, 5);
  await assert.rejects(Classifier.open(ort, exported(new Uint8Array())), { code: 'model.damaged', message: /language\.onnx/ });
  assert.equal(released(), 2);
});
