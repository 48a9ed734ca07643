// Copy the answer, in the form that the program it goes to wants. The last form chosen is used again.

import { writeText } from './clipboard.js';
import { toAsciiMath, toTypst } from './convert.js';
import { download } from './files.js';
import { toInkml } from './inkfile.js';
import { aligned } from './latex.js';
import { toast } from './notices.js';
import { toPng, toSvg } from './picture.js';

const KEY = 'inkscan-copy';
const NOT_TYPESET = 'This LaTeX cannot be typeset, so it can be copied as LaTeX alone.';
const FORMS = {
  latex: { name: 'LaTeX', text: ({ latex }) => latex },
  inline: { name: '$…$', text: ({ latex }) => `$${latex}$` },
  display: { name: '\\[…\\]', text: ({ latex }) => `\\[${latex}\\]` },
  mathml: { name: 'MathML (Word)', isTypeset: true, text: ({ mathml }) => mathml },
  asciimath: { name: 'AsciiMath', isTypeset: true, text: ({ mathml }) => toAsciiMath(mathml) },
  typst: { name: 'Typst', isTypeset: true, text: ({ mathml }) => toTypst(mathml) },
  svg: { name: 'SVG', isTypeset: true, text: ({ mathml }) => toSvg(mathml) },
  png: { name: 'PNG', isTypeset: true },
  lines: { name: 'All lines', text: ({ lines }) => lines.map(({ latex }) => latex).join('\n') },
  aligned: { name: 'All, aligned', text: ({ lines }) => aligned(lines) },
  inkml: { name: 'InkML', text: ({ strokes, whole }) => toInkml(strokes, whole) },
};

export class Copying {
  #choice;
  #current; // gives {latex, mathml, tokens, lines, whole, strokes} as they are now

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
    const { name, text, isTypeset } = FORMS[form];
    if (isTypeset && !current.mathml) {
      toast(NOT_TYPESET);
      return;
    }
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
