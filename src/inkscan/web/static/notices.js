// Words for the user: on the page, to a screen reader, and the question for a key.

const SHOWN_MS = 3500;
const $ = (id) => document.getElementById(id);
let timer = 0;

/** A short message over the page. */
export function toast(text) {
  $('toast').textContent = text;
  $('toast').hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { $('toast').hidden = true; }, SHOWN_MS);
}

/** A message for a screen reader alone. */
export function say(text) { $('live').textContent = text; }

export const inWords = (count, noun) => `${count} ${count === 1 ? noun : `${noun}s`}`;
export const percent = (value) => (value < 0.01 ? '<1%' : `${Math.round(100 * value)}%`);

/** Ask for the server's key, once at a time; `use` gets what was typed. */
export function askForKey(wasRefused, use) {
  const dialog = $('key-dialog');
  if (dialog.open) return;
  $('key-refused').hidden = !wasRefused;
  dialog.showModal();
  dialog.addEventListener('close', () => { if ($('key-input').value) use($('key-input').value); }, { once: true });
}
