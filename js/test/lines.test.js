import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readInk } from '../src/ink.js';
import { linesOf } from '../src/lines.js';
import { golden } from './golden.js';

test('ink is parted into lines as by Python', () => {
  const counts = new Set();
  for (const { strokes, lines } of golden.lines) {
    assert.deepEqual(linesOf(readInk(strokes)), lines);
    counts.add(lines.length);
  }
  assert.ok(counts.has(1) && counts.has(2));
});

test('dots without any size are one line', () => {
  assert.deepEqual(linesOf(readInk([[[0, 0]], [[0, 0]]])), [[0, 1]]);
});

test('many bars over many bands take little time', () => {
  const bars = Array.from({ length: 500 }, (_, i) => [[20 * i, 0], [20 * i + 5, 1]]);
  const uprights = Array.from({ length: 510 }, (_, i) => [[10, 1.5 + 1.5 * i], [10, 2.5 + 1.5 * i]]);
  const began = process.cpuUsage();
  assert.equal(linesOf(readInk([...bars, ...uprights])).length, 10);
  assert.ok(process.cpuUsage(began).user < 1e6);
});
