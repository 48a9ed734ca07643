// The clipboard, where the browser gives one.

/** Pages that came without https, such as from a computer in the same house, have no clipboard but the old way to it. */
export async function writeText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.className = 'quiet';
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('not copied');
}
