import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Constraint } from '../src/constraint.js';
import { readOptions } from '../src/search.js';
import { toTokens, parseTokens } from '../src/tree.js';

const VOCABULARY = [
  '<eos>', '{', '}', '^', '_', '\\limits', '\\frac', '\\sqrt', '[', ']', 'x', '2', '\\sum', '\\hat', '\\binom', "'", '\\over',
];

/** A sequence of numbers that is the same every time. */
function* numbers(seed) {
  for (let state = seed; ; state = (state * 1664525 + 1013904223) % 2 ** 32) yield state / 2 ** 32;
}

/** Tokens of a random walk over what is permitted. */
function walk(constraint, limit, random) {
  const tokens = [];
  let state = constraint.start;
  for (;;) {
    const open = constraint.permits(state, limit - tokens.length).flatMap((may, token) => (may ? [token] : []));
    assert.ok(open.length, `a dead end behind ${tokens.map((token) => VOCABULARY[token]).join(' ')}`);
    const token = open[Math.floor(random.next().value * open.length)];
    if (token === 0) return tokens.map((number) => VOCABULARY[number]);
    tokens.push(token);
    state = constraint.advance(state, token);
  }
}

test('whatever the grammar permits is canonical and fits into the limit', () => {
  const constraint = new Constraint(VOCABULARY);
  const random = numbers(7);
  const seen = new Set();
  for (let i = 0; i < 2000; i += 1) {
    const limit = 2 + (i % 40);
    const tokens = walk(constraint, limit, random);
    assert.ok(tokens.length > 0 && tokens.length < limit);
    assert.deepEqual(toTokens(parseTokens(tokens)), tokens);
    tokens.forEach((token) => seen.add(token));
  }
  assert.deepEqual(VOCABULARY.filter((token) => !seen.has(token)), ['<eos>', "'", '\\over']); // never written
});

test('forbidden symbols stay away, but the index of a root is always closed', () => {
  const constraint = new Constraint(VOCABULARY, null, [']', '_']);
  const random = numbers(11);
  const written = Array.from({ length: 2000 }, () => walk(constraint, 30, random));
  assert.ok(!written.some((tokens) => tokens.includes('_')));
  assert.ok(written.some((tokens) => tokens.includes(']')));
  const closed = (tokens) => tokens.filter((token) => token === ']').length;
  const opened = (tokens) => tokens.filter((token, i) => token === '[' && tokens[i - 1] === '\\sqrt').length;
  for (const tokens of written) assert.equal(closed(tokens), opened(tokens));
});

test('limits need scripts that they may have', () => {
  const constraint = new Constraint(VOCABULARY, ['x', '\\limits'], ['_', '^']);
  const random = numbers(13);
  for (let i = 0; i < 200; i += 1) assert.deepEqual(new Set(walk(constraint, 12, random)), new Set(['x']));
});

test('null allows all and forbids nothing', () => {
  const { allow, forbid } = readOptions({ allow: null, forbid: null }, {}).search;
  assert.deepEqual([allow, forbid], [null, []]);
});
