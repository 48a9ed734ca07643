// A user's program in TypeScript: `npm run check` compiles it against the declarations that the package ships.

import { InkscanError, load, loadInWorker, typeset } from 'inkscan';
import type { Options, Recognition, RemoteRecognizer } from 'inkscan';

const options: Options = { beam: 5, n_best: 3, allow: ['0', '1'], formats: ['mathml'] };
const recognizer = await load('/model/', { onProgress: ({ loaded, total }) => { console.log(loaded, total ?? 0); } });
const answer: Recognition = await recognizer.recognize([[[0, 0], [4, 9]]], options);
const latex: string = answer.latex;
const strokes: number[] | undefined = answer.symbols?.[0]?.strokes;
const remote: RemoteRecognizer = await loadInWorker(new URL('https://ink.example/model/'));
await remote.recognize({ strokes: [{ x: [1, 2], y: [3, 4] }] });
await remote.recognize([{ x: new Float32Array([1]), y: new Float32Array([2]) }]);
const rows: number[][] = (await remote.sheet([[[0, 0], [4, 9]]])).lines.map((line) => line.strokes);
const mathml: string = typeset({ latex }).mathml;
// @ts-expect-error: a beam is a number
await recognizer.recognize([], { beam: 'wide' });
try {
  await recognizer.close();
} catch (error) {
  if (error instanceof InkscanError) console.log(error.code.length, mathml, strokes, rows);
}
