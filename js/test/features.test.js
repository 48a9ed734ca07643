import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pooledStrokeMask, traceFeatures } from '../src/features.js';
import { readInk } from '../src/ink.js';
import { symbolPictures } from '../src/pictures.js';
import { raster } from '../src/raster.js';
import { rounded, roundHalfEven } from '../src/rounding.js';
import { differences } from './compare.js';
import { golden } from './golden.js';
import { OFFLINE_STRIDE, PICTURES } from '../src/tables.js';

const SPACING = 0.15;

test('features are those of Python', () => {
  for (const { strokes, features, stroke_lengths: lengths } of golden.features) {
    const trace = traceFeatures(readInk(strokes), SPACING);
    assert.deepEqual(trace.strokeLengths, lengths);
    assert.deepEqual(differences([...trace.features], features, 1e-6), []);
  }
});

test('drawings are those of Python', () => {
  for (const { strokes, settings, size: [height, width], inked, cells, shares } of golden.rasters) {
    const drawn = raster(readInk(strokes), { max_image_side: 1600, ...settings });
    const across = drawn.columns * OFFLINE_STRIDE;
    const places = Array.from(drawn.image.keys()).filter((pixel) => drawn.image[pixel] === 1)
      .map((pixel) => [Math.floor(pixel / across), pixel % across]);
    const total = (value) => places.reduce((sum, place) => sum + value(place), 0);
    assert.deepEqual([places.length, total(([y]) => y), total(([, x]) => x), total(([y, x]) => y * x)], inked);
    assert.equal(drawn.real.reduce((a, b) => a + b), height * width);
    assert.deepEqual([drawn.shares.length / (drawn.rows * drawn.columns), drawn.rows, drawn.columns], cells);
    const [, ...grid] = cells;
    const each = grid[0] * grid[1];
    const weighed = shares.map((_, stroke) => drawn.shares.subarray(stroke * each, (stroke + 1) * each).reduce((sum, share, cell) => sum + share * cell, 0));
    assert.deepEqual(differences(weighed, shares, 1e-5), []);
  }
});

test('pictures of symbols are those of Python', () => {
  for (const { strokes, groups, inked, moments, measures } of golden.pictures) {
    const seen = symbolPictures(readInk(strokes), groups);
    const size = PICTURES.SIDE ** 2;
    const sums = inked.map((_, at) => seen.images.subarray(at * size, (at + 1) * size).reduce((sum, ink) => sum + ink, 0));
    const places = inked.map((_, at) => seen.images.subarray(at * size, (at + 1) * size).reduce((sum, ink, place) => sum + (ink * place) / size, 0));
    assert.deepEqual(differences(sums, inked, 1e-3), []);
    assert.deepEqual(differences(places, moments, 1e-3), []);
    assert.deepEqual(differences([...seen.measures], measures, 1e-4), []);
  }
});

test('each stroke holds its own cells', () => {
  assert.deepEqual([...pooledStrokeMask([4, 8])], [1, 0, 0, 0, 1, 1]);
});

test('halves are rounded to even', () => {
  assert.deepEqual([0.5, 1.5, 2.5, -1.5, -2.5, 2.49, 2.51].map(roundHalfEven), [0, 2, 2, -2, -2, 2, 3]);
  for (const [number, digits, expected] of golden.rounded) assert.equal(rounded(number, digits) + 0, expected + 0, `${number}`);
});
