// The typeset answer of each line, on the sheet near its ink. With one line the card above the sheet is enough.

import { inText, showFormula } from './formula.js';

const GAP = 18; // pixels between ink and the answer beside it
const NEAR = 4; // or above and below
const MARGIN = 4; // of the sheet

export class LineTags {
  #box;
  #surface;
  #tools;
  #choose;
  #tags = new Map(); // line -> {button, shown, place}

  /** No answer lies on the `tools`; `choose` is called with the line whose answer was tapped. */
  constructor(box, surface, tools, choose) {
    this.#box = box;
    this.#surface = surface;
    this.#tools = tools;
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
    const { size, scale } = this.#surface;
    const taken = [...this.#tags.keys()].map(({ box }) => ({
      left: box.left * scale, right: box.right * scale, top: box.top * scale, bottom: box.bottom * scale,
    }));
    taken.push(this.#toolsBox());
    for (const [i, tag] of [...this.#tags.values()].entries()) {
      tag.place = placeOf(taken[i], tag.button, size, taken);
      taken.push(tag.place);
      tag.button.style.translate = `${tag.place.left}px ${tag.place.top}px`;
    }
  }

  /** On the sheet. */
  #toolsBox() {
    const sheet = this.#box.getBoundingClientRect();
    const tools = this.#tools.getBoundingClientRect();
    return {
      left: tools.left - sheet.left, right: tools.right - sheet.left,
      top: tools.top - sheet.top, bottom: tools.bottom - sheet.top,
    };
  }
}

/** Beside the ink, above, below or left of it: the first of the places that cover least of what the sheet holds. */
export function placeOf(ink, { offsetWidth: width, offsetHeight: height }, sheet, taken) {
  const middle = (ink.top + ink.bottom - height) / 2;
  const places = [
    [ink.right + GAP, middle],
    [ink.left, ink.top - height - NEAR],
    [ink.left, ink.bottom + NEAR],
    [ink.left - GAP - width, middle],
    [sheet.width, ink.top - height - NEAR], // at the edge
    [sheet.width, ink.bottom + NEAR],
  ].map(([x, y]) => {
    const left = within(x, sheet.width - width);
    const top = within(y, sheet.height - height);
    return { left, top, right: left + width, bottom: top + height };
  });
  const covered = places.map((place) => taken.reduce((sum, other) => sum + overlap(place, other), 0));
  return places[covered.indexOf(Math.min(...covered))];
}

const within = (at, most) => Math.round(Math.max(MARGIN, Math.min(at, most - MARGIN)));

function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(across, 0) * Math.max(down, 0);
}
