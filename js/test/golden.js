// The golden vectors, and the bundled models that made them.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { DEFAULT_MODEL, SECOND_MODEL } from '../src/tables.js';

export const [MODEL, SECOND] = [DEFAULT_MODEL, SECOND_MODEL].map(
  (name) => fileURLToPath(new URL(`../../src/inkscan/runtime/weights/${name}`, import.meta.url)),
);
export const golden = JSON.parse(await readFile(new URL('golden.json', import.meta.url), 'utf8'));
