import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { load } from '../src/index.js';
import { ownSha256, sha256 } from '../src/sha256.js';
import { golden, MODEL } from './golden.js';

const INK = golden.recognitions[0];
const WHOLLY_READ = golden.recognitions.find(({ reply }) => !reply.unread.length);

/** @type {string} */
let folder;
/** @type {import('node:http').Server} */
let server;
let address = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkscan-'));
  server = createServer(async ({ url, headers }, response) => {
    const path = new URL(url ?? '/', 'http://x').pathname;
    if (path.startsWith('/broken/')) return response.writeHead(503).end();
    const content = await readFile(MODEL + path.replace(/^\/(plain|zipped)/, '')).catch(() => null);
    if (!content) return response.writeHead(404).end();
    if (!path.startsWith('/zipped/')) return response.writeHead(200, { 'Content-Length': content.length }).end(content);
    assert.match(headers['accept-encoding'] ?? '', /gzip/);
    return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(content, { level: 1 }));
  });
  server.keepAliveTimeout = 600_000; // a loaded machine may take long between two requests
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(null)); });
  address = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** A copy of the model with one file changed. */
async function changed(name, change) {
  const copy = join(folder, `copy-${Math.random()}`);
  await cp(MODEL, copy, { recursive: true });
  if (change === null) await rm(join(copy, name));
  else await writeFile(join(copy, name), change(await readFile(join(copy, name))));
  return copy;
}

const changedInfo = (change) => changed('model.json', (text) => {
  const info = JSON.parse(text);
  change(info);
  return JSON.stringify(info);
});

test('a model is read from a path, a file URL and a server', async () => {
  for (const where of [MODEL, `${MODEL}/`, pathToFileURL(MODEL), `${address}/plain`]) {
    const recognizer = await load(where);
    assert.equal((await recognizer.recognize(INK.ink)).latex, INK.reply.latex);
    await recognizer.close();
  }
});

test('progress rises to the whole', async () => {
  const seen = [];
  await load(`${address}/plain/`, { onProgress: (progress) => seen.push(progress) });
  const sizes = await Promise.all(['model.json', 'encoder.onnx', 'step.onnx'].map(async (name) => (await readFile(join(MODEL, name))).length));
  const whole = sizes.reduce((sum, size) => sum + size);
  assert.deepEqual(seen.at(-1), { loaded: whole, total: whole });
  assert.ok(seen.length > 5 && seen.every(({ loaded }, i) => !i || loaded >= seen[i - 1].loaded));
});

test('the total of compressed files is what the caller expects', async () => {
  const totals = new Set();
  await load(`${address}/zipped/`, { expectedBytes: 9e6, onProgress: ({ total }) => totals.add(total) });
  assert.deepEqual([...totals], [9e6]);
  const unknown = [];
  await load(`${address}/zipped/`, { onProgress: ({ total }) => unknown.push(total) });
  assert.equal(unknown.find((total) => total === null), null);
});

test('missing and damaged files are told apart', async () => {
  await assert.rejects(load(join(folder, 'nothing')), { code: 'model.unknown' });
  await assert.rejects(load(`${address}/nothing/`), { code: 'model.unknown' });
  await assert.rejects(load(`${address}/broken/`), { code: 'request.unavailable', message: /503/ });
  await assert.rejects(load('http://127.0.0.1:1/'), { code: 'request.unavailable', message: /cannot be reached/ });
  await assert.rejects(load(await changed('step.onnx', null)), { code: 'model.damaged', message: /missing/ });
  const flipped = await changed('encoder.onnx', (content) => { content[5000] ^= 1; return content; });
  await assert.rejects(load(flipped), { code: 'model.damaged', message: /SHA-256 differs/ });
  await assert.rejects(load(await changed('model.json', () => '{"format"')), { code: 'model.damaged' });
});

test('a description that is not its own is refused', async () => {
  const damaging = [
    (info) => { info.format = 'inkscan-model-0'; },
    (info) => { info.vocabulary = ['<eos>', 'x', 'x']; },
    (info) => { info.calibration.symbol = [1]; },
    (info) => { info.length_power = 5; },
    (info) => { info.reading_order = 'yes'; },
    (info) => { info.sha256 = null; },
    (info) => { info.vocabulary.pop(); },
  ];
  for (const change of damaging) await assert.rejects(load(await changedInfo(change)), { code: 'model.damaged' }, String(change));
  for (const change of [(info) => { info.views = ['points']; }, (info) => { info.features.trace = 'tap'; }]) {
    await assert.rejects(load(await changedInfo(change)), { code: 'model.system' });
  }
});

test('a graph that onnxruntime cannot load is damaged', async () => {
  const garbage = Buffer.from('not a graph');
  const copy = await changed('step.onnx', () => garbage);
  const info = JSON.parse(await readFile(join(copy, 'model.json'), 'utf8'));
  info.sha256['step.onnx'] = createHash('sha256').update(garbage).digest('hex');
  await writeFile(join(copy, 'model.json'), JSON.stringify(info));
  await assert.rejects(load(copy), { code: 'model.damaged', message: /onnxruntime cannot load step.onnx/ });
});

test('a model without calibration tells its own probability', async () => {
  const recognizer = await load(await changedInfo((info) => { info.calibration = null; }));
  const { confidence, score, tokens } = await recognizer.recognize(WHOLLY_READ.ink, { length_power: 0 });
  assert.ok(tokens.length && Math.abs(Math.exp(score) - confidence) < 1e-5);
});

test('SHA-256 without the platform is the same', async () => {
  for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
    assert.equal(ownSha256(bytes), await sha256(bytes));
    assert.equal(ownSha256(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});
