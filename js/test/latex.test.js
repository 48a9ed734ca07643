import assert from 'node:assert/strict';
import { test } from 'node:test';

import { typeset } from '../src/index.js';
import { golden } from './golden.js';

test('LaTeX is read and typeset as by Python', () => {
  for (const formula of golden.formulas.filter(({ typeset: expected }) => expected)) {
    assert.deepEqual(typeset({ latex: formula.latex }), formula.typeset, formula.latex);
    assert.deepEqual(typeset({ tokens: formula.typeset.tokens }), formula.typeset, formula.latex);
  }
});

test('LaTeX that cannot be read has the code and the place that Python tells', () => {
  for (const { latex, code, position } of golden.formulas.filter((formula) => formula.code)) {
    assert.throws(() => typeset({ latex }), { code, position }, latex.slice(0, 60));
  }
  assert.throws(() => typeset({ latex: 'x'.repeat(30_000) }), { code: 'latex.syntax', message: /at most/ });
});

test('what is no token is not typeset', () => {
  for (const token of ['', ' ', 'a b', '\n', '<b>', '\\mathbb', '\\mathbb{', '\\foo{x}', '\\']) {
    assert.throws(() => typeset({ tokens: ['a', token] }), { code: 'request.invalid' }, token);
  }
  assert.equal(typeset({ tokens: ['\\mathbb{R}', '\\alpha', '\\{'] }).tokens.length, 3);
});

test('tokens are made canonical, or refused as LaTeX is', () => {
  assert.deepEqual(typeset({ tokens: ['\\left', '(', 'x', '\\right', ')', '\\le', '≥'] }).tokens, ['(', 'x', ')', '\\leq', '\\geq']);
  assert.deepEqual(typeset({ tokens: ['l', 'o', 'g'] }).tokens, ['l', 'o', 'g']);
  assert.throws(() => typeset({ tokens: ['\\,', 'x', '$'] }), { code: 'latex.unknown_token', position: 2 });
  assert.throws(() => typeset({ tokens: ['\\,', 'x', '^'] }), { code: 'latex.syntax' });
  assert.throws(() => typeset({ tokens: [] }), { code: 'latex.syntax', message: /empty/ });
});

test('what is neither LaTeX nor tokens is refused with a code', () => {
  const wrong = [
    undefined, null, {}, 'x', 5, [], { latex: 5 }, { latex: null }, { tokens: 'x' },
    { tokens: [5] }, { tokens: Array(1) }, { tokens: null, latex: 'x' },
  ];
  for (const value of wrong) {
    assert.throws(() => typeset(/** @type {any} */ (value)), { name: 'BadRequest', code: 'request.invalid' }, JSON.stringify(value));
  }
  assert.equal(typeset(/** @type {any} */ ({ tokens: undefined, latex: 'x' })).latex, 'x');
});
