import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BeamSearch } from '../src/beam.js';
import { Constraint } from '../src/constraint.js';
import { Judge } from '../src/judge.js';
import { SEARCH_DEFAULTS, WINDOW } from '../src/tables.js';

const TOKENS = ['<eos>', 'x', 'y', 'X'];
const STROKES = 100;
const CONSTRAINT = new Constraint(TOKENS);

/**
 * A network that likes one token; hypotheses look at one stroke for ever, or at a new one each step.
 * @param {(last: number, step: number) => number[]} votes
 * @param {(last: number, step: number) => number} look
 */
function network(votes, look) {
  let steps = 0;
  return {
    steps: () => steps,
    take: (state) => state,
    async step(tokens) {
      const alphas = new Float32Array(tokens.length * STROKES);
      tokens.forEach((token, row) => { alphas[row * STROKES + look(token, steps)] = 1; });
      const logProbs = Float32Array.from(tokens.flatMap((token) => votes(token, steps)));
      steps += 1;
      return { logProbs, state: {}, alphas };
    },
  };
}

const search = (fake, settings = {}, tokens = 400) => {
  const chosen = { ...SEARCH_DEFAULTS, ...settings };
  const bounds = { tokens, hypotheses: chosen.beam };
  const beam = new BeamSearch(/** @type {any} */ (fake), CONSTRAINT, new Judge(TOKENS), chosen, bounds, undefined);
  return beam.run({ memories: {}, state: {} }, TOKENS.length);
};

test('a hypothesis that goes round in circles must come to an end', async () => {
  const { hypotheses } = await search(network(() => [-6, -0.1, -9, -9], () => 0), { beam: 1 });
  assert.equal(hypotheses[0].tokens.length, 2 * WINDOW - 1); // in the first window it did read a stroke
});

test('one that reads on is left alone', async () => {
  const { hypotheses } = await search(network((_, step) => (step < 50 ? [-6, -0.1, -9, -9] : [-0.1, -6, -9, -9]), (_, step) => step), { beam: 1 });
  assert.equal(hypotheses[0].tokens.length, 50);
});

test('of two, the one that goes round in circles is dropped', async () => {
  // After the first token both go on with their own; `x`, which is likelier, never looks further.
  const votes = (last, step) => {
    if (step === 0) return [-9, -0.5, -1, -9];
    if (step > 2 * WINDOW) return [-0.1, -9, -9, -9];
    return last === 1 ? [-9, -0.01, -9, -9] : [-9, -9, -0.01, -9];
  };
  const { hypotheses } = await search(network(votes, (last, step) => (last === 2 ? step : 0)), { beam: 2 });
  assert.deepEqual([...new Set(hypotheses[0].tokens)], [2]);
});

test('once an answer is finished, hopeless hypotheses are dropped', async () => {
  const fake = network((last) => (last === TOKENS.length ? [-9, -0.1, -2, -9] : [-0.05, -4, -4, -9]), (_, step) => step % STROKES);
  const { hypotheses } = await search(fake, { beam: 6, margin: 50, spread: 1 });
  assert.deepEqual(hypotheses.map(({ tokens }) => tokens.length), [1, 1]); // x and y, and nothing after them
  assert.equal(fake.steps(), 2);
});

test('a letter written in both cases counts against an answer', async () => {
  const votes = (_, step) => [[-9, -0.1, -9, -9], [-9, -0.8, -9, -0.5], [-0.1, -9, -9, -9]][step];
  const best = async (settings) => (await search(network(votes, (_, step) => step), settings)).hypotheses[0].tokens.map((at) => TOKENS[at]);
  assert.deepEqual(await best({ both_cases: 1 }), ['x', 'x']);
  assert.deepEqual(await best({ both_cases: 0 }), ['x', 'X']);
});

test('integrals with limits count against an answer, sums with limits do not', () => {
  const judge = new Judge(['<eos>', '\\int', '\\limits', '\\sum']);
  assert.equal(judge.integralsWithLimits([1, 2, 3, 2, 1, 3]), 1);
  assert.equal(judge.against([1, 2, 1, 2], { ...SEARCH_DEFAULTS, integral_limits: 2 }), 4);
});

test('a cross without a factor on a side counts against an answer', () => {
  const tokens = ['<eos>', '\\times', '{', '}', '^', 'x', '-', '=', '\\forall', '\\in'];
  const judge = new Judge(tokens);
  const count = (text) => judge.bareTimes(text.split(' ').map((token) => tokens.indexOf(token)));
  const none = ['x \\times x', 'x \\times - x', 'x ^ { x } \\times x', 'x ^ { \\times }', '\\times'];
  assert.deepEqual(none.map(count), [0, 0, 0, 0, 0]);
  assert.deepEqual(['\\forall \\times \\in x', '\\times = x', 'x ^ { x } \\times', '\\times \\times \\times'].map(count), [1, 1, 1, 3]);
  assert.equal(judge.against([7, 1], { ...SEARCH_DEFAULTS, bare_times: 2 }), 2);
});
