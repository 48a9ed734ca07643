// The golden vectors, and the bundled model that made them.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { DEFAULT_MODEL } from '../src/tables.js';

export const MODEL = fileURLToPath(new URL(`../../src/inkscan/runtime/weights/${DEFAULT_MODEL}`, import.meta.url));
export const golden = JSON.parse(await readFile(new URL('golden.json', import.meta.url), 'utf8'));
