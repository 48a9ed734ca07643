// The typeset answer of each line, on the sheet beside its ink or above it. With one line the card above the sheet is enough.

import { inText, showFormula } from './formula.js';

const GAP = 18; // pixels between ink and answer

export class LineTags {
  #box;
  #surface;
  #choose;
  #tags = new Map(); // line -> {button, shown, place}

  /** `choose` is called with the line whose answer was tapped. */
  constructor(box, surface, choose) {
    this.#box = box;
    this.#surface = surface;
    this.#choose = choose;
    surface.addEventListener('resize', () => this.#placeAll());
    surface.addEventListener('tap', (event) => this.#tap(event)); // the answers lie on the sheet, but never under the pen
  }

  show(lines, current) {
    const wanted = lines.length > 1 ? lines : [];
    for (const [line, { button }] of this.#tags) {
      if (wanted.includes(line)) continue;
      button.remove();
      this.#tags.delete(line);
    }
    for (const [i, line] of wanted.entries()) {
      const button = this.#tagOf(line);
      button.setAttribute('aria-pressed', line === current);
      button.setAttribute('aria-label', `Line ${i + 1}: ${line.shown.latex}`);
    }
    this.#box.replaceChildren(...wanted.map((line) => this.#tags.get(line).button)); // in reading order for the keyboard
    this.#placeAll();
  }

  #tagOf(line) {
    let tag = this.#tags.get(line);
    if (!tag) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'tag';
      button.addEventListener('click', () => this.#choose(line));
      tag = { button, shown: null, place: null };
      this.#tags.set(line, tag);
    }
    if (tag.shown !== line.shown) {
      tag.shown = line.shown;
      if (line.shown.mathml) showFormula(tag.button, inText(line.shown.mathml));
      else tag.button.textContent = line.shown.latex;
    }
    return tag.button;
  }

  #tap(event) {
    const { x, y } = event.detail;
    const found = [...this.#tags].find(([, { place }]) => place.left <= x && x <= place.right && place.top <= y && y <= place.bottom);
    if (!found) return;
    event.preventDefault();
    this.#choose(found[0]);
  }

  #placeAll() {
    for (const [line, tag] of this.#tags) {
      tag.place = this.#placeOf(line.box, tag.button);
      tag.button.style.translate = `${tag.place.left}px ${tag.place.top}px`;
    }
  }

  /** Beside the ink where there is room, else above it, else at the edge. */
  #placeOf(ink, { offsetWidth, offsetHeight }) {
    const { size: { width }, scale } = this.#surface;
    const [inkLeft, inkRight, inkTop, inkBottom] = [ink.left, ink.right, ink.top, ink.bottom].map((value) => value * scale);
    const fitsBeside = inkRight + GAP + offsetWidth <= width - 4;
    const left = Math.round(fitsBeside ? inkRight + GAP : Math.max(4, Math.min(inkLeft, width - offsetWidth - 4)));
    const top = Math.round(Math.max(2, fitsBeside ? (inkTop + inkBottom - offsetHeight) / 2 : inkTop - offsetHeight - 4));
    return { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
  }
}
