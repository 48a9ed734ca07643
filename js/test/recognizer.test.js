import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { load } from '../src/index.js';
import { DEFAULT_MODEL } from '../src/tables.js';
import { differences } from './compare.js';
import { golden, MODEL, SECOND, WEIGHER } from './golden.js';

const TOLERANCE = 2e-3; // of scores and probabilities: WebAssembly and the native runtime add in different orders

/** @type {import('../src/index.js').Recognizer} */
let recognizer;

before(async () => {
  recognizer = await load(MODEL, { second: SECOND, classifier: WEIGHER });
  await recognizer.complete();
});
after(() => recognizer.close());

test('it says what Python says', async (context) => {
  for (const { ink, options, reply } of golden.recognitions) {
    await context.test(`${reply.latex} ${JSON.stringify(options)}`, async () => {
      const formats = ['mathml', 'alternatives', 'symbols', 'alignment'];
      const { timing, ...ours } = await recognizer.recognize(ink, { ...options, formats });
      assert.deepEqual(differences(ours, reply, TOLERANCE), []);
      assert.ok(timing.recognition_ms > 0 && timing.batch === 1);
    });
  }
});

test('the keys of an answer are those of the HTTP reply', async () => {
  const { ink, reply } = golden.recognitions[0];
  const ours = await recognizer.recognize(ink);
  const { alignment, ...plain } = reply;
  assert.deepEqual(Object.keys(ours).sort(), [...Object.keys(plain), 'timing'].sort());
});

test('an answer has only the parts that were asked for', async () => {
  const { ink } = golden.recognitions[0];
  const answer = await recognizer.recognize(ink, { formats: [] });
  assert.deepEqual(Object.keys(answer), ['latex', 'tokens', 'score', 'confidence', 'unread', 'model', 'timing']);
});

test('parts may be named in one string', async () => {
  const answer = await recognizer.recognize(golden.recognitions[0].ink, { formats: 'mathml symbols' });
  assert.ok(answer.mathml && answer.symbols && !answer.alternatives);
});

test('it reads two inks at once', async () => {
  const inks = golden.recognitions.slice(0, 2).map(({ ink }) => ink);
  const together = await Promise.all(inks.map((ink) => recognizer.recognize(ink)));
  assert.deepEqual(together.map(({ latex }) => latex), golden.recognitions.slice(0, 2).map(({ reply }) => reply.latex));
});

test('typed arrays and the shapes of other services are the same ink', async () => {
  const { ink, reply } = golden.recognitions[0];
  const columns = { x: ink.strokes.map(({ x }) => x), y: ink.strokes.map(({ y }) => y) };
  const shapes = [
    ink.strokes.map(({ x, y }) => ({ x: Float64Array.from(x), y: Float64Array.from(y) })),
    ink.strokes.map(({ x, y }) => x.map((at, i) => [at, y[i], 10 * i, 0.5])),
    { strokes: { strokes: columns } },
    { strokeGroups: [{ strokes: ink.strokes.slice(0, 3) }, { strokes: ink.strokes.slice(3) }] },
  ];
  for (const shape of shapes) assert.equal((await recognizer.recognize(shape)).latex, reply.latex);
});

test('bad ink has the codes of Python', async () => {
  for (const { ink, code } of golden.refused) await assert.rejects(recognizer.recognize(ink), { code }, JSON.stringify(ink));
  const rubbed = { strokes: [{ x: [1], y: [2] }, { x: [1], y: [2], pointerType: 'ERASER' }] };
  await assert.rejects(recognizer.recognize(rubbed), { code: 'ink.malformed', message: /eraser.*stroke 2/ });
  const nan = [[[NaN, 1]]];
  await assert.rejects(recognizer.recognize(nan), { code: 'ink.coordinate' });
  await assert.rejects(recognizer.recognize([[[1, 1, Infinity]]]), { code: 'ink.coordinate' });
  const dots = (count) => Array.from({ length: count }, (_, i) => [[i, i]]);
  await assert.rejects(recognizer.recognize(dots(1001)), { code: 'ink.too_large', message: /split the ink/ });
  await assert.rejects(recognizer.recognize(dots(10_001)), { code: 'ink.too_large' });
  await assert.rejects(recognizer.recognize([dots(200_001).map(([point]) => point)]), { code: 'ink.too_large' });
  const zigzag = Array.from({ length: 100 }, (_, i) => [90 * (i % 2), i]);
  await assert.rejects(recognizer.recognize(Array(41).fill(zigzag)), { code: 'ink.too_large', message: /too long/ });
});

test('bad options are refused', async () => {
  const { ink } = golden.recognitions[0];
  const invalid = [
    { beem: 3 }, { beam: 0 }, { beam: 101 }, { beam: 1.5 }, { n_best: 0 }, { max_tokens: 0 }, { margin: -1 }, { doubt: 2 },
    null, 5, 'beam', ['beam'], { signal: 5 }, { signal: {} }, { length_power: 3 }, { allow: ['\\nosuch'] }, { forbid: ['<eos>'] }, { allow: 7 }, { formats: ['inkml'] },
  ];
  for (const options of invalid) {
    await assert.rejects(recognizer.recognize(ink, options), { code: 'request.invalid' }, JSON.stringify(options));
  }
  await assert.rejects(recognizer.recognize(ink, { allow: ['+,-'] }), { message: /put spaces between/ });
  await assert.rejects(recognizer.recognize(ink, { allow: '\\frac' }), { code: 'request.nothing_allowed' });
});

test('it tells what it knows', () => {
  assert.equal(recognizer.name, DEFAULT_MODEL);
  assert.ok(recognizer.symbols.includes('\\frac') && !recognizer.symbols.includes('<eos>'));
  assert.match(recognizer.licence, /CC/);
});

test('a recognition can be given up', async () => {
  const { ink, reply } = golden.recognitions[0];
  const early = AbortSignal.abort();
  await assert.rejects(recognizer.recognize(ink, { signal: early }), { code: 'request.cancelled' });
  const late = new AbortController();
  const given = recognizer.recognize(ink, { signal: late.signal });
  const next = recognizer.recognize(ink);
  setImmediate(() => late.abort());
  await assert.rejects(given, { code: 'request.cancelled' });
  assert.equal((await next).latex, reply.latex);
});

test('a recognition waits for its turn', async () => {
  const { ink } = golden.recognitions[0];
  const [first, second] = await Promise.all([recognizer.recognize(ink), recognizer.recognize(ink)]);
  assert.ok(first.timing.queue_ms < second.timing.queue_ms);
  assert.ok(second.timing.queue_ms >= first.timing.recognition_ms - 0.01);
});
