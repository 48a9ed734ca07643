// The golden vectors, and the bundled model that made them.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const WEIGHTS = fileURLToPath(new URL('../../src/inkscan/runtime/weights/', import.meta.url));
export const MODEL = `${WEIGHTS}onscan-extra`;
export const golden = JSON.parse(await readFile(new URL('golden.json', import.meta.url), 'utf8'));
