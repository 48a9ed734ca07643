// Sloping lines are made level and leaning letters upright: the cases of tests/ink/test_upright.py once more.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UPRIGHT_INK } from '../src/tables.js';
import { upright } from '../src/upright.js';

const stroke = (points) => ({ x: Float64Array.from(points, ([x]) => x), y: Float64Array.from(points, ([, y]) => y) });

/** A row of letters L that lean as letters usually do, moved by a matrix. */
function row([[a, b], [c, d]], count = 6) {
  return Array.from({ length: count }, (_, i) => {
    const points = [[120 * i + 100 * UPRIGHT_INK.USUAL_LEAN, 0], [120 * i, 100], [120 * i + 50, 100]];
    return stroke(points.map(([x, y]) => [a * x + b * y, c * x + d * y]));
  });
}

function turned(degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [[Math.cos(angle), -Math.sin(angle)], [Math.sin(angle), Math.cos(angle)]];
}

test('ink that is nearly upright stays itself', () => {
  for (const matrix of [turned(0), turned(3), turned(-3), [[1, -0.2], [0, 1]]]) {
    const ink = row(matrix);
    assert.equal(upright(ink), ink);
  }
});

test('a sloping line is level again', () => {
  for (const degrees of [-20, -10, 10, 20]) {
    const bottoms = upright(row(turned(degrees))).map(({ y }) => Math.max(...y));
    assert.ok(Math.max(...bottoms) - Math.min(...bottoms) < 1e-6);
  }
});

test('letters that lean far are upright again', () => {
  const usual = row(turned(0));
  for (const lean of [-0.7, -0.4, 0.4, 0.7]) {
    upright(row([[1, -lean], [0, 1]])).forEach(({ x }, i) => {
      assert.ok(Math.abs(x[0] - x[1] - (usual[i].x[0] - usual[i].x[1])) < 1e-6);
    });
  }
});

test('crosses lean neither way, and a few strokes tell nothing', () => {
  const crosses = [0, 120, 240, 360, 480].flatMap((at) => [stroke([[at, 0], [at + 80, 100]]), stroke([[at + 78, 0], [at, 96]])]);
  assert.equal(upright(crosses), crosses);
  const few = row(turned(20), 3);
  assert.equal(upright(few), few);
});
