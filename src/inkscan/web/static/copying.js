// Copy the answer, in the form that the program it goes to wants. The last form chosen is used again.

import { writeText } from './clipboard.js';
import { toAsciiMath, toTypst } from './convert.js';
import { download } from './files.js';
import { toInkml } from './inkfile.js';
import { aligned } from './latex.js';
import { toast } from './notices.js';
import { toPng, toSvg } from './picture.js';

const KEY = 'inkscan-copy';
const FORMS = {
  latex: { name: 'LaTeX', text: ({ latex }) => latex },
  inline: { name: '$…$', text: ({ latex }) => `$${latex}$` },
  display: { name: '\\[…\\]', text: ({ latex }) => `\\[${latex}\\]` },
  mathml: { name: 'MathML (Word)', text: ({ mathml }) => mathml },
  asciimath: { name: 'AsciiMath', text: ({ mathml }) => toAsciiMath(mathml) },
  typst: { name: 'Typst', text: ({ mathml }) => toTypst(mathml) },
  svg: { name: 'SVG', text: ({ mathml }) => toSvg(mathml) },
  png: { name: 'PNG' },
  lines: { name: 'All lines', text: ({ lines }) => lines.map(({ latex }) => latex).join('\n') },
  aligned: { name: 'All, aligned', text: ({ lines }) => aligned(lines) },
  inkml: { name: 'InkML', text: ({ strokes, latex }) => toInkml(strokes, latex) },
};

export class Copying {
  #choice;
  #current; // gives {latex, mathml, tokens, lines, strokes} as they are now

  constructor(button, choice, current) {
    this.#choice = choice;
    this.#current = current;
    choice.replaceChildren(...Object.entries(FORMS).map(([form, { name }]) => new Option(name, form)));
    choice.value = localStorage.getItem(KEY) in FORMS ? localStorage.getItem(KEY) : 'latex';
    button.addEventListener('click', () => this.copy());
    choice.addEventListener('change', () => {
      localStorage.setItem(KEY, choice.value);
      this.copy();
    });
  }

  /** Copy in this form, else in the chosen one. */
  async copy(form = this.#choice.value) {
    const current = this.#current();
    if (form === 'inkml' ? !current.strokes.length : !current.latex) return;
    const { name, text } = FORMS[form];
    try {
      if (text) await writeText(text(current));
      else await copyPicture(current);
      toast(`${name} copied`);
    } catch {
      toast('The browser does not let this page write to the clipboard.');
    }
  }
}

/** A picture cannot take the old way to the clipboard: without the new one it becomes a file. */
async function copyPicture({ mathml }) {
  const picture = await toPng(mathml);
  if (navigator.clipboard && globalThis.ClipboardItem) await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
  else download('formula.png', 'image/png', picture);
}
