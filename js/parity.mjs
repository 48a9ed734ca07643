// Whether JavaScript says what Python says on many inks, and how long it takes.
//
//   python js/make_golden.py --lines FILE --generated 1000
//   node js/parity.mjs FILE          exits with 1 below 995 of 1,000 or with a confidence that is 0.01 off

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { load } from './src/index.js';
import { CLASSIFIER, DEFAULT_MODEL, SECOND_MODEL } from './src/tables.js';

const WANTED = 0.995; // share of the same LaTeX
const CONFIDENCE = 0.01; // at most apart, where the LaTeX is the same
const [FIRST, SECOND, WEIGHER] = [DEFAULT_MODEL, SECOND_MODEL, CLASSIFIER].map(
  (name) => fileURLToPath(new URL(`../src/inkscan/runtime/weights/${name}`, import.meta.url)),
);

const [file] = process.argv.slice(2);
if (!file) {
  console.error('usage: node parity.mjs FILE');
  process.exit(2);
}
const recognizer = await load(FIRST, { second: SECOND, classifier: WEIGHER });
await recognizer.complete();
/** @type {number[]} */
const milliseconds = [];
let [inks, same, farthest, wholly] = [0, 0, 0, 0];
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { ink, options, reply } = JSON.parse(line);
  const before = process.cpuUsage();
  const ours = await recognizer.recognize(ink, options);
  const { user, system } = process.cpuUsage(before);
  milliseconds.push((user + system) / 1000);
  inks += 1;
  if (ours.latex === reply.latex) {
    same += 1;
    farthest = Math.max(farthest, Math.abs(ours.confidence - reply.confidence));
    const readings = (/** @type {any} */ answer) => JSON.stringify([answer.alternatives, answer.symbols], ['latex', 'token', 'strokes']);
    wholly += readings(ours) === readings(reply) ? 1 : 0;
  } else {
    console.log(`ink ${inks}: ${ours.latex} instead of ${reply.latex}`);
  }
}
milliseconds.sort((a, b) => a - b);
const at = (/** @type {number} */ share) => milliseconds[Math.min(inks - 1, Math.floor(share * inks))].toFixed(0);
console.log(`${same} of ${inks} inks have the same LaTeX, ${wholly} the same alternatives and strokes, too;`
  + ` confidences at most ${farthest.toFixed(4)} apart; CPU time of an ink: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
process.exit(inks && same >= WANTED * inks && farthest <= CONFIDENCE ? 0 : 1);
