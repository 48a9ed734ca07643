// Files in and out of the page.

/** Let the user keep a file. */
export function download(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Call `open` with each file that is chosen or dropped on the page. */
export function takeFiles(input, open) {
  input.addEventListener('change', () => {
    if (input.files[0]) open(input.files[0]);
    input.value = '';
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
  });
}
