// The golden vectors, and the bundled models that made them.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { CLASSIFIER, DEFAULT_MODEL, SECOND_MODEL } from '../src/tables.js';

export const [MODEL, SECOND, WEIGHER] = [DEFAULT_MODEL, SECOND_MODEL, CLASSIFIER].map(
  (name) => fileURLToPath(new URL(`../../src/inkscan/runtime/weights/${name}`, import.meta.url)),
);
export const SMALL = fileURLToPath(new URL('../../src/inkscan/runtime/weights/onscan', import.meta.url)); // of CROHME's symbols
export const golden = JSON.parse(await readFile(new URL('golden.json', import.meta.url), 'utf8'));
