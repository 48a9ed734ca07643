import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../src/index.js';
import { InkscanError } from '../src/errors.js';
import { Interpreter } from '../src/interpretation.js';
import { Later } from '../src/later.js';
import { Recognizer } from '../src/recognizer.js';
import { SECOND_STROKES } from '../src/tables.js';
import { golden, MODEL, SECOND, SMALL, WEIGHER } from './golden.js';

const INFO = { vocabulary: ['<eos>', '1', '2'], features: {}, length_power: 0, calibration: null };
const STROKES = [[[0, 0], [20, 50]]];
const FORMATS = { formats: ['alternatives'] };

/**
 * A reader that finds one token in any ink.
 * @param {string} name
 * @param {number} token
 * @param {number} sureness its log-probability
 * @returns {any}
 */
function reader(name, token, sureness) {
  const interpreter = new Interpreter(/** @type {any} */ ({ ...INFO, name }));
  const hypotheses = [{ tokens: [token], logProbs: [sureness, 0], score: sureness }];
  return {
    info: { ...INFO, name },
    asked: 0,
    async follow(plan) {
      this.asked += 1;
      const reading = plan.next([]);
      const alphas = [Float32Array.from(reading.ink, () => 1 / reading.ink.length)];
      return [{ reading, found: { hypotheses: hypotheses.map((one) => ({ ...one, alphas })) }, unread: 0, interpreter }];
    },
    async close() {},
  };
}

/** @param {() => Promise<any>} open @param {any} first */
async function pair(open, first = reader('first', 1, Math.log(0.5))) {
  const second = new Later(open);
  await second.ready().catch(() => {});
  return new Recognizer(first, second);
}

test('the second model is asked where the first is in doubt, and what it is surer of wins', async () => {
  const second = reader('second', 2, Math.log(0.9));
  const recognizer = await pair(async () => second);
  const sure = await recognizer.recognize(STROKES, { ...FORMATS, doubt: 0.5 });
  assert.deepEqual([sure.latex, sure.model, second.asked], ['1', 'first', 0]);
  const doubtful = await recognizer.recognize(STROKES, { ...FORMATS, doubt: 0.51 });
  assert.deepEqual([doubtful.latex, doubtful.model, second.asked], ['2', 'second', 1]);
  assert.deepEqual(doubtful.alternatives?.map(({ latex }) => latex), ['2', '1']);
  assert.equal((await recognizer.recognize(STROKES, { doubt: 0 })).latex, '1');
});

test('a recogniser that was closed refuses with a code, and what runs is ended first', async () => {
  const first = reader('first', 1, Math.log(0.9));
  /** @type {string[]} */
  const happened = [];
  const follow = first.follow;
  first.follow = async (/** @type {any} */ plan) => {
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    happened.push('read');
    return follow.call(first, plan);
  };
  first.close = async () => { happened.push('closed'); };
  const recognizer = await pair(async () => reader('second', 2, Math.log(0.9)), first);
  const running = recognizer.recognize(STROKES, { doubt: 0 });
  const waiting = recognizer.recognize(STROKES);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  const closing = [recognizer.close(), recognizer.close()];
  const closed = { name: 'Unavailable', code: 'request.unavailable', message: /closed/ };
  await assert.rejects(recognizer.recognize(STROKES), closed);
  await assert.rejects(recognizer.sheet(STROKES), closed);
  await assert.rejects(recognizer.typeset({ latex: 'x' }), closed);
  await assert.rejects(recognizer.complete(), closed);
  await assert.rejects(waiting, closed);
  assert.equal((await running).latex, '1');
  await Promise.all(closing);
  assert.deepEqual(happened, ['read', 'closed']);
});

test('what is not open when a recogniser is closed is never opened', async () => {
  /** @type {string[]} */
  const opened = [];
  const open = (/** @type {string} */ name) => async () => { opened.push(name); return reader(name, 2, 0); };
  const [second, classifier] = [new Later(open('second')), new Later(open('classifier'))];
  const recognizer = new Recognizer(reader('first', 1, 0), second, classifier);
  await classifier.ready();
  await recognizer.close();
  await assert.rejects(second.ready(), { code: 'request.unavailable' });
  assert.equal(second.now, null);
  assert.deepEqual(opened, ['classifier']);
});

test('long ink is not for the second model', async () => {
  const second = reader('second', 2, Math.log(0.9));
  const recognizer = await pair(async () => second);
  const bars = (count) => Array.from({ length: count }, (_, i) => [[20 * i, 0], [20 * i, 10]]);
  await recognizer.recognize(bars(SECOND_STROKES), { doubt: 1 });
  await recognizer.recognize(bars(SECOND_STROKES + 1), { doubt: 1 });
  assert.equal(second.asked, 1);
});

test('an ink that is too large for the image keeps the first answer, any other error is told', async () => {
  const second = reader('second', 2, Math.log(0.9));
  const recognizer = await pair(async () => second);
  second.follow = async () => { throw new InkscanError('InkTooLarge', 'too large'); };
  assert.equal((await recognizer.recognize(STROKES, { doubt: 1 })).latex, '1');
  second.follow = async () => { throw new InkscanError('Cancelled', 'given up'); };
  await assert.rejects(recognizer.recognize(STROKES, { doubt: 1 }), { code: 'request.cancelled' });
});

test('until the second model is there the first one answers, and it is tried again', async () => {
  let [tries, isThere] = [0, false];
  const recognizer = await pair(async () => {
    tries += 1;
    if (!isThere) throw new InkscanError('Unavailable', 'the host is away');
    return reader('second', 2, Math.log(0.9));
  });
  assert.equal((await recognizer.recognize(STROKES, { doubt: 1 })).latex, '1');
  await assert.rejects(recognizer.complete(), { code: 'request.unavailable' });
  [tries, isThere] = [0, true];
  await recognizer.complete();
  assert.equal((await recognizer.recognize(STROKES, { doubt: 1 })).latex, '2');
  await recognizer.complete();
  assert.equal(tries, 1);
});

test('a line of a sheet that the first model has read alone is read again once the second is there', async () => {
  let isThere = false;
  const recognizer = await pair(async () => {
    if (!isThere) throw new InkscanError('Unavailable', 'the host is away');
    return reader('second', 2, Math.log(0.9));
  });
  assert.equal((await recognizer.sheet(STROKES, { doubt: 1 })).latex, '1');
  isThere = true;
  await recognizer.complete();
  assert.equal((await recognizer.sheet(STROKES, { doubt: 1 })).latex, '2');
});

test('a classifier that cannot be had, or is of other symbols, is told and keeps nobody from reading', async () => {
  const { ink } = golden.recognitions[0];
  const alone = await load(MODEL);
  const without = await load(MODEL, { classifier: `${WEIGHER}-nowhere` });
  await assert.rejects(without.complete(), { code: 'model.unknown' });
  assert.equal((await without.recognize(ink)).latex, (await alone.recognize(ink)).latex);
  const other = await load(SMALL, { classifier: WEIGHER });
  await assert.rejects(other.complete(), { code: 'model.damaged', message: /a classifier needs the vocabulary/ });
  for (const recognizer of [alone, without, other]) await recognizer.close();
});

test('a second model that cannot be had does not keep the first one from reading', async () => {
  const { ink } = golden.recognitions[0];
  const alone = await load(MODEL);
  const without = await load(MODEL, { second: `${SECOND}-nowhere` });
  await assert.rejects(without.complete(), { code: 'model.unknown' });
  assert.equal((await without.recognize(ink, { doubt: 1 })).latex, (await alone.recognize(ink)).latex);
  await alone.complete(); // there is none to wait for
  for (const recognizer of [alone, without]) await recognizer.close();
});
