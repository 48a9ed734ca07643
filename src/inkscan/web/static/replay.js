// The replay: which strokes the network looked at, step by step.

import { STRUCTURE } from './latex.js';

const STEP_MS = 520;

export class Replay {
  #elements;
  #show; // called with a Map of stroke id to attention and the token's index, or with null
  #answer = null;
  #at = 0;
  #timer = 0;

  constructor(elements, show) {
    this.#elements = elements;
    this.#show = show;
    elements.back.addEventListener('click', () => { this.#pause(); this.step(-1); });
    elements.next.addEventListener('click', () => { this.#pause(); this.step(1); });
    elements.play.addEventListener('click', () => (this.#timer ? this.#pause() : this.#play()));
    elements.range.addEventListener('input', () => { this.#pause(); this.#go(Number(elements.range.value)); });
    elements.tokens.addEventListener('click', ({ target }) => {
      if (target.dataset.at) { this.#pause(); this.#go(Number(target.dataset.at)); }
    });
  }

  /** The answer to replay, or null. */
  set answer(answer) {
    this.stop();
    const usable = answer?.alignment?.length ? answer : null;
    this.#answer = usable;
    this.#at = 0;
    this.#elements.box.hidden = !usable;
    this.#elements.none.hidden = Boolean(usable);
    this.#elements.tokens.replaceChildren(...(usable?.tokens ?? []).map((token, at) => {
      const chip = document.createElement('span');
      chip.textContent = token;
      chip.dataset.at = at;
      chip.classList.toggle('structure', STRUCTURE.has(token));
      return chip;
    }));
    this.#elements.range.max = Math.max(0, (usable?.tokens.length ?? 1) - 1);
    this.#elements.range.value = 0;
  }

  step(by) {
    const last = this.#answer.tokens.length - 1;
    this.#go(Math.min(last, Math.max(0, this.#at + by)));
  }

  /** Back to plain ink. */
  stop() {
    this.#pause();
    this.#elements.tokens.querySelector('.now')?.classList.remove('now');
    this.#show(null);
  }

  #play() {
    const last = this.#answer.tokens.length - 1;
    this.#go(this.#at >= last ? 0 : this.#at);
    this.#label('Pause', 'i-pause', true);
    this.#timer = setInterval(() => {
      if (this.#at >= last) this.stop();
      else this.step(1);
    }, STEP_MS);
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#label('Play', 'i-play', false);
  }

  #label(text, icon, pressed) {
    const { play } = this.#elements;
    play.title = text;
    play.setAttribute('aria-label', text);
    play.setAttribute('aria-pressed', pressed);
    play.querySelector('use').setAttribute('href', `#${icon}`);
  }

  #go(at) {
    this.#at = at;
    this.#elements.range.value = at;
    const token = this.#answer.tokens[at];
    this.#elements.range.setAttribute('aria-valuetext', `step ${at + 1}: ${token}`);
    this.#elements.tokens.querySelector('.now')?.classList.remove('now');
    this.#elements.tokens.children[at]?.classList.add('now');
    const shares = this.#answer.alignment[at];
    this.#show(new Map(this.#answer.strokeIds.map((id, i) => [id, shares[i] ?? 0])), at);
  }
}
