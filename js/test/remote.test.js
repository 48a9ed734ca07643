import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { InkscanError, loadInWorker } from '../src/index.js';
import { DEFAULT_MODEL } from '../src/tables.js';
import { golden, MODEL, SECOND, WEIGHER } from './golden.js';

const INK = golden.recognitions[0];
// What a browser gives to a worker, in one of node's.
const BOOT = `
  const { parentPort } = require('node:worker_threads');
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  globalThis.addEventListener = (kind, listener) => parentPort.on(kind, (data) => listener({ data }));
  import(${JSON.stringify(new URL('../src/worker.js', import.meta.url).href)});`;

function nodeWorker(boot = BOOT) {
  const worker = new Worker(boot, { eval: true });
  const like = {
    onmessage: null, onerror: null, postMessage: (message) => worker.postMessage(message), terminate: () => { worker.terminate(); },
  };
  worker.on('message', (data) => like.onmessage({ data }));
  worker.on('error', (error) => like.onerror(error));
  return like;
}

test('a worker has the API of a recogniser', async (t) => {
  const seen = [];
  const recognizer = await loadInWorker(MODEL, {
    second: SECOND, classifier: WEIGHER, worker: nodeWorker(), onProgress: (progress) => seen.push(progress),
  });
  t.after(() => recognizer.close()); // a failure must not leave it running
  assert.ok(seen.at(-1).loaded > 1e6);
  assert.equal(seen.at(-1).loaded, seen.at(-1).total);
  await recognizer.complete();
  assert.equal(recognizer.name, DEFAULT_MODEL);
  assert.ok(recognizer.symbols.includes('\\frac'));
  assert.match(recognizer.licence, /CC/);
  const answers = await Promise.all(golden.recognitions.slice(0, 3).map(({ ink }) => recognizer.recognize(ink)));
  assert.deepEqual(answers.map(({ latex }) => latex), golden.recognitions.slice(0, 3).map(({ reply }) => reply.latex));
  const { ink: two, reply } = golden.sheets[0];
  assert.equal((await recognizer.sheet(two)).aligned, reply.aligned);
  assert.equal((await recognizer.typeset({ tokens: ['x', '^', '{', '2', '}'] })).latex, 'x^{2}');
  await assert.rejects(recognizer.recognize([]), (error) => error instanceof InkscanError && error.code === 'ink.no_strokes');
  await assert.rejects(recognizer.typeset({ latex: 'a \\foo' }), { code: 'latex.unknown_token', position: 2 });
  for (const value of [undefined, {}, { latex: 5 }]) {
    await assert.rejects(recognizer.typeset(/** @type {any} */ (value)), { code: 'request.invalid' });
  }
  for (const options of [null, { beem: 3 }, { signal: 5 }]) {
    await assert.rejects(recognizer.recognize(INK.ink, /** @type {any} */ (options)), { code: 'request.invalid' });
  }
  await assert.rejects(recognizer.recognize(/** @type {any} */ ([() => {}])), { code: 'request.invalid', message: /not data/ });
  const patience = new AbortController();
  const given = recognizer.recognize(INK.ink, { signal: patience.signal });
  const kept = recognizer.recognize(INK.ink, { signal: new AbortController().signal });
  patience.abort();
  await assert.rejects(given, { code: 'request.cancelled' });
  assert.equal((await kept).latex, INK.reply.latex);
  await assert.rejects(recognizer.recognize(INK.ink, { signal: AbortSignal.abort() }), { code: 'request.cancelled' });
  const last = recognizer.recognize(INK.ink);
  await recognizer.close();
  await assert.rejects(last, { code: 'request.unavailable', message: /closed/ });
  await assert.rejects(recognizer.recognize(INK.ink), { code: 'request.unavailable' });
});

test('a worker that cannot load or start says so', async () => {
  await assert.rejects(loadInWorker(`${MODEL}-nowhere`, { worker: nodeWorker() }), { code: 'model.unknown' });
  await assert.rejects(loadInWorker(MODEL, { worker: nodeWorker('throw new Error("no")') }), { code: 'request.unavailable' });
});
