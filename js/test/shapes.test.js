import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Shapes } from '../src/shapes.js';
import { SHAPE_FLOOR, WITHOUT_STROKES } from '../src/tables.js';

const VOCABULARY = ['<eos>', 'x', 'X', 'y'];

/**
 * A classifier that gives every group the same scores, and notes what it is asked.
 * @param {number[]} scores of the vocabulary, and of no symbol
 */
function classifier(scores) {
  /** @type {string[][]} */
  const asked = [];
  return {
    asked,
    info: { vocabulary: VOCABULARY },
    async scores(/** @type {unknown} */ ink, /** @type {number[][]} */ groups) {
      asked.push(groups.map(String));
      return groups.map(() => Float32Array.from(scores));
    },
  };
}

/** @param {ReturnType<typeof classifier>} seen @param {string[]} permitted */
function shapesOf(seen, permitted = VOCABULARY) {
  const constraint = { allows: (/** @type {string} */ token) => permitted.includes(token) };
  return new Shapes(/** @type {any} */ (seen), [], /** @type {any} */ (constraint));
}

/** @param {string} tokens @param {...number[]} groups */
const answer = (tokens, ...groups) => ({ tokens: tokens.split(' '), groups });

/** @param {number[]} found @param {number[]} wanted */
function assertNear(found, wanted) {
  assert.equal(found.length, wanted.length);
  found.forEach((value, at) => assert.ok(Math.abs(value - wanted[at]) < 1e-6, `${found} for ${wanted}`));
}

test('only what answers say differently counts, and each group is looked at once', async () => {
  const seen = classifier([-50, Math.log(6), Math.log(3), Math.log(1), -50]);
  const shapes = shapesOf(seen);
  const answers = [answer('x ^ { y }', [0], [], [], [1, 2], []), answer('X ^ { y }', [0], [], [], [1, 2], [])];
  assertNear(await shapes.weigh(answers), [Math.log(0.6), Math.log(0.3)]);
  assertNear(await shapes.weigh([...answers, answer('y x', [0], [1, 2])]), [
    Math.log(0.6) + Math.log(0.1), Math.log(0.3) + Math.log(0.1), Math.log(0.1) + Math.log(0.6),
  ]);
  assert.deepEqual(seen.asked, [['0'], ['1,2']]);
});

test('symbols that an answer may not have take no part, and what is no symbol does', async () => {
  const seen = classifier([0, 0, 9, 0, 0]);
  assertNear(await shapesOf(seen, ['x', 'y']).weigh([answer('x', [0]), answer('y', [1])]), [-Math.log(3), -Math.log(3)]);
});

test('no symbol speaks louder against an answer than the floor, and one without strokes has a price', async () => {
  const seen = classifier([0, -99, 0, 0, 0]);
  assertNear(await shapesOf(seen).weigh([answer('x', [0]), answer('X', [])]), [SHAPE_FLOOR, WITHOUT_STROKES]);
});
