// Teach it: lines that somebody says are right now, kept with their ink on this device, to train a model on.

import { download } from './files.js';
import { newId } from './ink.js';
import { toInkml } from './inkfile.js';
import { inWords, toast } from './notices.js';
import { zip } from './zip.js';

const FOLDER = 'inkscan-samples';
const README = `Ink and LaTeX from the inkscan page. To make a corpus of it:

inkscan data prepare folder ${FOLDER}/ink --labels ${FOLDER}/labels.tsv -o mine.parquet
`;

export class Samples {
  #elements;
  #store;

  /** `elements` {keep, give, forget, about}; `store` is a promise; `current` gives {latex, strokes} of the line at hand, or null. */
  constructor(elements, store, current) {
    this.#elements = elements;
    this.#store = store;
    elements.keep.addEventListener('click', () => this.#keep(current()));
    elements.give.addEventListener('click', async () => give(await this.#all()));
    elements.forget.addEventListener('click', async () => {
      await (await store).clear('samples');
      await this.show();
    });
    this.show();
  }

  async show() {
    const { give: button, forget, about } = this.#elements;
    const { length } = await this.#all();
    button.hidden = forget.hidden = !length;
    about.textContent = length
      ? `${inWords(length, 'sample')} of your hand, kept on this device.` : 'Is the line read as you meant it, or have you put it right? Keep it as a sample of your hand.';
  }

  async #all() {
    const samples = await (await this.#store).all('samples');
    return samples.sort((a, b) => a.time - b.time);
  }

  /** The same ink has one truth: the last. */
  async #keep(line) {
    if (!line) return;
    const store = await this.#store;
    const key = line.strokes.map(({ id }) => id).join(' ');
    const old = (await this.#all()).find((sample) => sample.key === key);
    await store.put('samples', { id: old?.id ?? newId(), key, latex: line.latex, inkml: toInkml(line.strokes, line.latex), time: Date.now() });
    await this.show();
    toast('Kept as a sample of your hand');
  }
}

/** The folder that `inkscan data prepare folder` takes, in an archive. */
function give(samples) {
  const names = samples.map((_, i) => `${String(i + 1).padStart(4, '0')}.inkml`);
  const labels = samples.map(({ latex }, i) => `${names[i]}\t${latex.replace(/\s+/g, ' ')}\n`);
  download(`${FOLDER}.zip`, 'application/zip', zip([
    [`${FOLDER}/README.txt`, README],
    [`${FOLDER}/labels.tsv`, labels.join('')],
    ...samples.map(({ inkml }, i) => [`${FOLDER}/ink/${names[i]}`, inkml]),
  ]));
}
