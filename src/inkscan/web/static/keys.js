// Keys of the whole page; fields to type in and dialogs keep theirs.

const CONTROL_KEYS = { z: 'undo', y: 'redo', o: 'open', s: 'save', backspace: 'clear' };
const PLAIN_KEYS = { p: 'pen', e: 'eraser', '?': 'help', escape: 'escape' };

/** `actions` by name; also `copy`, and `choose` with the number of a reading from 0. */
export function listenToKeys(actions) {
  addEventListener('keydown', (event) => {
    if (event.target.closest('input, textarea, select, dialog') || event.altKey) return;
    const key = event.key.toLowerCase();
    const withControl = event.ctrlKey || event.metaKey;
    const name = withControl ? (key === 'z' && event.shiftKey ? 'redo' : CONTROL_KEYS[key]) : PLAIN_KEYS[key];
    if (name) {
      event.preventDefault();
      actions[name]();
    } else if (withControl && key === 'c' && getSelection().isCollapsed) {
      actions.copy();
    } else if (!withControl && /^[1-9]$/.test(key)) {
      actions.choose(Number(key) - 1);
    }
  });
}
