import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { load } from '../src/index.js';
import { sheetOf } from '../src/sheet.js';
import { differences } from './compare.js';
import { golden, MODEL, SECOND, WEIGHER } from './golden.js';

const TOLERANCE = 2e-3;

/** @type {import('../src/index.js').Recognizer} */
let recognizer;

before(async () => {
  recognizer = await load(MODEL, { second: SECOND, classifier: WEIGHER });
  await recognizer.complete();
});
after(() => recognizer.close());

/** A sheet with what Python's has. */
const plain = ({ lines, latex, aligned }) => ({
  latex,
  aligned,
  lines: lines.map(({ symbols, alternatives, timing, ...line }) => ({
    ...line,
    symbols: symbols.map(({ candidates, ...symbol }) => symbol),
    alternatives: alternatives.map(({ mathml, ...alternative }) => alternative),
  })),
});

test('a sheet is that of Python', async () => {
  for (const { ink, reply } of golden.sheets) {
    const sheet = await recognizer.sheet(ink);
    assert.deepEqual(differences(plain(sheet), reply, TOLERANCE), []);
    assert.ok(sheet.lines.every(({ timing }) => timing.recognition_ms > 0));
  }
});

test('aligned lines meet at their first relation that stands in no group', () => {
  const texts = ['\\sqrt [ n = 2 ] { x } = 1', 'a = \\limits ^ { ? } b', '[ a ] = [ b ]', 'x'];
  const lines = texts.map((text) => /** @type {any} */ ({ tokens: text.split(' '), latex: '' }));
  assert.deepEqual(sheetOf(lines).aligned.split('\n').slice(1, -1), [
    '\\sqrt[n=2]{x} &=1 \\\\', 'a &\\mathop{=}\\limits^{?}b \\\\', '[a] &=[b] \\\\', '&x',
  ]);
});

test('only lines that have changed are read again', async () => {
  const { ink } = golden.sheets[0];
  const { lines } = await recognizer.sheet(ink);
  const [first, second] = lines.map(({ strokes }) => strokes.map((stroke) => ink.strokes[stroke]));
  const { latex } = lines[0];
  lines[0].symbols[0].token = 'changed'; // by a caller, in its copy
  const fresh = await recognizer.sheet([...first, ...second.slice(0, -1)]);
  assert.deepEqual(fresh.lines[0].timing, lines[0].timing); // it was not read again
  assert.notDeepEqual(fresh.lines[1].timing, lines[1].timing);
  assert.equal(fresh.lines[0].latex, latex);
  assert.notEqual(fresh.lines[0].symbols[0].token, 'changed');
  const wider = await recognizer.sheet(ink, { n_best: 1 });
  assert.equal(wider.lines[0].alternatives.length, 1);
});

test('a sheet is refused as a formula is', async () => {
  await assert.rejects(recognizer.sheet([]), { code: 'ink.no_strokes' });
  await assert.rejects(recognizer.sheet([[[0, 0]]], { beam: 0 }), { code: 'request.invalid' });
  await assert.rejects(recognizer.sheet(golden.sheets[0].ink, { signal: AbortSignal.abort() }), { code: 'request.cancelled' });
  const dots = Array.from({ length: 2001 }, (_, i) => [[i, 0]]);
  await assert.rejects(recognizer.sheet(dots), { code: 'ink.too_large', message: /one sheet/ });
});
