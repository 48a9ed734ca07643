// inkscan: handwritten mathematics in as pen strokes, LaTeX and MathML out.
//
//   import { load } from 'inkscan';
//   const recognizer = await load('https://ink.example/model/');
//   const { latex } = await recognizer.recognize([[[0, 0], [4, 9]], [[4, 0], [0, 9]]]);

export { InkscanError } from './errors.js';
export { typeset } from './latex.js';
export { load } from './load.js';
export { Recognizer } from './recognizer.js';
export { loadInWorker, RemoteRecognizer } from './remote.js';

/** @typedef {import('./recognizer.js').Recognition} Recognition */
/** @typedef {import('./interpretation.js').Alternative} Alternative */
/** @typedef {import('./interpretation.js').RecognizedSymbol} RecognizedSymbol */
/** @typedef {import('./sheet.js').Sheet} Sheet */
/** @typedef {import('./sheet.js').SheetLine} SheetLine */
/** @typedef {import('./search.js').Options} Options */
/** @typedef {import('./ink.js').InkLike} InkLike */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./download.js').Progress} Progress */
/** @typedef {import('./latex.js').Typeset} Typeset */
