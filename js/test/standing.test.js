// Where symbols stand may say that an answer is another one: the cases of tests/runtime/test_standing.py once more.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asItStands, withStanding } from '../src/standing.js';
import { SEARCH_DEFAULTS } from '../src/tables.js';

const UNWRITTEN = new Set(['{', '}', '^', '_', '[', ']']);

/** A stroke that fills its box; y runs downwards, and small letters stand from 0 to 100. */
const bar = (left, right, top, bottom) => ({ x: Float64Array.of(left, right), y: Float64Array.of(top, bottom) });

/** The strokes of each token, one for each that is written, in their order. */
function groupsOf(tokens) {
  let stroke = 0;
  return tokens.map((token) => (UNWRITTEN.has(token) ? [] : [stroke++]));
}

function mended(text, ...ink) {
  const tokens = text.split(' ');
  return asItStands(ink, tokens, groupsOf(tokens))?.tokens.join(' ') ?? null;
}

test('a dot on the line is a point', () => {
  const [x, a] = [bar(0, 90, 0, 100), bar(200, 290, 0, 100)];
  const read = [95, 86, 75, 40].map((height) => mended('x \\cdot a', x, bar(140, 142, height, height + 2), a));
  assert.deepEqual(read, ['x . a', 'x . a', null, null]);
});

test('a row of dots has to stand lower', () => {
  const plus = [0, 400].map((at) => bar(at, at + 100, -10, 96));
  assert.equal(mended('+ \\cdots +', plus[0], bar(150, 350, 88, 92), plus[1]), null);
  assert.equal(mended('+ \\cdots +', plus[0], bar(150, 350, 102, 106), plus[1]), '+ \\ldots +');
});

test('letters with tails and scripts do not lower the line', () => {
  const [y, squared, a] = [bar(0, 90, 0, 175), bar(95, 130, -60, 0), bar(200, 290, 0, 100)];
  assert.equal(mended('y ^ { 2 } \\cdot a', y, squared, bar(160, 162, 99, 101), a), 'y ^ { 2 } . a');
  assert.equal(mended('y ^ { 2 } \\cdot a', y, squared, bar(160, 162, 59, 61), a), null);
});

test('a dot within a script is measured by its own row, one alone by nothing', () => {
  const [x, a, b] = [bar(0, 90, 0, 100), bar(100, 140, -60, -10), bar(200, 240, -60, -10)];
  assert.equal(mended('x ^ { a \\cdot a }', x, a, bar(160, 161, -12, -11), b), 'x ^ { a . a }');
  assert.equal(mended('x ^ { a \\cdot a }', x, a, bar(160, 161, -36, -35), b), null);
  assert.equal(mended('\\cdot', bar(0, 2, 0, 2)), null);
});

test('what begins beyond the bar of a root does not stand under it', () => {
  const [x, plus, y] = [80, 320, 400].map((at) => bar(at, at + 60, 0, 100));
  const [root, index] = [bar(0, 300, -50, 120), bar(-20, 10, -60, -10)];
  assert.equal(mended('\\sqrt { x + y }', root, x, plus, y), '\\sqrt { x } + y');
  assert.equal(mended('\\sqrt [ 3 ] { x + y }', root, index, x, plus, y), '\\sqrt [ 3 ] { x } + y');
  assert.equal(mended('\\sqrt { x + y }', bar(0, 50, 0, 100), x, plus, y), null); // no bar at all
  assert.equal(mended('\\sqrt { x y ^ { 2 } }', root, x, y, bar(465, 480, -40, 0)), null); // one that ends too soon
});

test('an inner root gives to the outer one what that covers, with its scripts', () => {
  const [outer, inner] = [bar(0, 500, -80, 130), bar(60, 200, -50, 120)];
  const [x, plus, y, minus, z] = [120, 300, 380, 520, 600].map((at) => bar(at, at + 60, 0, 100));
  assert.equal(
    mended('\\sqrt { \\sqrt { x + y - z ^ { 2 } } }', outer, inner, x, plus, y, minus, z, bar(665, 680, -40, 0)),
    '\\sqrt { \\sqrt { x } + y } - z ^ { 2 }',
  );
});

test('a root keeps what it cannot give away', () => {
  const [root, ...rest] = [bar(0, 200, -50, 120), ...[80, 220, 300, 380].map((at) => bar(at, at + 60, 0, 100))];
  assert.equal(mended('\\sqrt { a b c } ^ { 3 }', root, ...rest), null);
  for (const first of ['-', '(', '=']) assert.equal(mended(`\\sqrt { ${first} b c }`, root, ...rest.slice(0, 3)), null);
});

test('nothing is mended into what a call forbids', () => {
  const ink = [bar(0, 90, 0, 100), bar(140, 142, 95, 97), bar(200, 290, 0, 100)];
  assert.equal(asItStands(ink, ['x', '\\cdot', 'a'], [[0], [1], [2]], (label) => label !== '.'), null);
});

test('every row of the answer goes with its token, and the old answer is an alternative', () => {
  const vocabulary = ['<eos>', '\\sqrt', '{', '}', 'x', 'y'];
  const rows = (/** @type {number[]} */ ...order) => order.map((row) => Float32Array.of(row));
  const old = { tokens: [1, 2, 4, 5, 3], logProbs: [-0.1, -0.2, -0.3, -0.4, -0.5, -0.6], score: -1, alphas: rows(0, 1, 2, 3, 4) };
  const last = { tokens: [4], logProbs: [-3, -3], score: -3, alphas: rows(0) };
  const settings = { ...SEARCH_DEFAULTS, standing: 6, length_power: 1 };
  const mendedTokens = { tokens: ['\\sqrt', '{', 'x', '}', 'y'], order: [0, 1, 2, 4, 3] };
  const found = withStanding({ hypotheses: [old, last] }, mendedTokens, vocabulary, settings);
  assert.deepEqual(found.hypotheses, [
    { tokens: [1, 2, 4, 3, 5], logProbs: [-0.1, -0.2, -0.3, -0.5, -0.4, -0.6], score: -1, alphas: rows(0, 1, 2, 4, 3) },
    { ...old, logProbs: [-0.1, -0.2, -0.3, -0.4, -0.5, -6.6], score: -2 }, last,
  ]);
});
