// The LaTeX of the answer, which can be edited; the page typesets it while one types.

const PAUSE_MS = 150;

/** Events: "edit" (detail: the text) and "revert". Where the text is longer than the field, its end fades; with the focus all is seen. */
export class LatexField extends EventTarget {
  #area;
  #text = ''; // to be shown when nobody types
  #timer = 0;

  constructor(area) {
    super();
    this.#area = area;
    area.addEventListener('input', () => {
      this.#resize();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#edit(), PAUSE_MS);
    });
    area.addEventListener('blur', () => {
      if (this.#timer) this.#edit();
      this.show(this.#text, !area.readOnly);
    });
    area.addEventListener('keydown', (event) => this.#key(event));
    for (const name of ['focus', 'blur']) area.addEventListener(name, () => this.#resize());
    new ResizeObserver(() => this.#markCut()).observe(area.parentElement);
  }

  get isBusy() { return document.activeElement === this.#area; }

  /** Show a text, unless somebody types another one just now. */
  show(text, isEditable) {
    this.#text = text;
    this.#area.readOnly = !isEditable;
    if (this.#area.value === text || (this.isBusy && isEditable)) return;
    this.#area.value = text;
    this.#resize();
  }

  /** Say what is wrong with the text; an empty message: nothing. */
  get problem() { return this.#area.validationMessage; }
  set problem(message) {
    this.#area.setCustomValidity(message);
    this.#area.setAttribute('aria-invalid', Boolean(message));
    this.#area.title = message || this.#area.value;
  }

  #key(event) {
    if (event.key === 'Enter') this.#area.blur();
    else if (event.key === 'Escape') {
      this.#stop();
      this.#area.blur();
      this.#tell('revert');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #edit() {
    this.#stop();
    this.#tell('edit', this.#area.value.trim());
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** With the focus it grows over the sheet, which stays where it is. */
  #resize() {
    this.#area.style.height = '';
    if (this.isBusy) this.#area.style.height = `${this.#area.scrollHeight + 2}px`;
    else this.#area.scrollLeft = 0;
    this.#markCut();
  }

  #markCut() { this.#area.classList.toggle('cut', !this.isBusy && this.#area.scrollWidth > this.#area.clientWidth); }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
