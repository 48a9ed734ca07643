import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pooledStrokeMask, traceFeatures } from '../src/features.js';
import { readInk } from '../src/ink.js';
import { rounded, roundHalfEven } from '../src/rounding.js';
import { differences } from './compare.js';
import { golden } from './golden.js';

const SPACING = 0.15;

test('features are those of Python', () => {
  for (const { strokes, features, stroke_lengths: lengths } of golden.features) {
    const trace = traceFeatures(readInk(strokes), SPACING);
    assert.deepEqual(trace.strokeLengths, lengths);
    assert.deepEqual(differences([...trace.features], features, 1e-6), []);
  }
});

test('each stroke holds its own cells', () => {
  assert.deepEqual([...pooledStrokeMask([4, 8])], [1, 0, 0, 0, 1, 1]);
});

test('halves are rounded to even', () => {
  assert.deepEqual([0.5, 1.5, 2.5, -1.5, -2.5, 2.49, 2.51].map(roundHalfEven), [0, 2, 2, -2, -2, 2, 3]);
  for (const [number, digits, expected] of golden.rounded) assert.equal(rounded(number, digits) + 0, expected + 0, `${number}`);
});
