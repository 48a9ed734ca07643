// The dialog with all sheets: take one up, begin one, delete.

import { drawing } from './examples.js';
import { inWords } from './notices.js';

const ELSEWHERE = 'This sheet is open in another tab.';
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export class SheetList {
  #elements;
  #sheets;
  #use;

  /** `elements` {dialog, list, none, begin, forget}; `use` is called with the sheet to show. */
  constructor(elements, sheets, use) {
    this.#elements = elements;
    this.#sheets = sheets;
    this.#use = use;
    elements.begin.addEventListener('click', async () => { this.#leave(await sheets.begin()); });
    elements.forget.addEventListener('click', () => this.#forget());
  }

  async open() {
    await this.#show();
    this.#elements.dialog.showModal();
  }

  /** `elsewhere` has the ids of those that another tab has open, as far as that is to be said. */
  async #show(elsewhere = new Set()) {
    const { list, none, forget } = this.#elements;
    const all = await this.#sheets.all();
    none.hidden = all.length > 0;
    forget.hidden = !all.length;
    this.#ask(false);
    list.replaceChildren(...all.map((sheet) => this.#row(sheet, elsewhere.has(sheet.id))));
  }

  #row(sheet, isElsewhere) {
    const item = document.createElement('li');
    const isCurrent = sheet.id === this.#sheets.current.id;
    const open = button('kept', `Open the sheet of ${WHEN.format(sheet.changed)}: ${sheet.latex || inWords(sheet.strokes.length, 'stroke')}`);
    const [when, latex] = ['span', 'code'].map((name) => document.createElement(name));
    when.textContent = isElsewhere ? ELSEWHERE : `${WHEN.format(sheet.changed)}${isCurrent ? ', open now' : ''}`;
    latex.textContent = sheet.latex;
    latex.title = sheet.latex;
    open.append(drawing(sheet.strokes), when, latex);
    open.setAttribute('aria-current', isCurrent);
    open.addEventListener('click', async () => {
      if (await this.#sheets.take(sheet)) this.#leave(sheet);
      else when.textContent = ELSEWHERE;
    });
    const remove = button('icon', 'Delete this sheet');
    remove.innerHTML = '<svg><use href="#i-clear"/></svg>';
    remove.addEventListener('click', () => this.#remove(sheet));
    item.append(open, remove);
    return item;
  }

  #leave(sheet) {
    this.#elements.dialog.close();
    this.#use(sheet);
  }

  async #remove(...sheets) {
    const { current } = this.#sheets;
    const elsewhere = new Set();
    for (const { id } of sheets) if (!await this.#sheets.remove(id)) elsewhere.add(id);
    if (sheets.some(({ id }) => id === current.id)) this.#use(await this.#sheets.begin());
    await this.#show(elsewhere);
  }

  /** Twice, as it cannot be undone. */
  async #forget() {
    if (this.#elements.forget.dataset.sure) await this.#remove(...await this.#sheets.all());
    else this.#ask(true);
  }

  #ask(isSure) {
    const { forget } = this.#elements;
    if (isSure) forget.dataset.sure = 'yes';
    else delete forget.dataset.sure;
    forget.textContent = isSure ? 'Really delete all?' : 'Delete all';
  }
}

function button(kind, label) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = kind;
  element.title = label;
  element.setAttribute('aria-label', label);
  return element;
}
