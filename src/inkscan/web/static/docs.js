// Buttons of the page about the API: copy a command, or send its request from here and show the reply.

for (const call of document.querySelectorAll('.call[data-path]')) {
  const [editor, reply] = [call.querySelector('textarea'), call.querySelector('.reply')];
  const [copy, attempt] = call.querySelectorAll('.try button');
  call.querySelector('.try').hidden = false;
  copy.hidden = !navigator.clipboard; // pages without TLS have none, except on the same machine
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(call.querySelector('.curl').textContent);
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  });
  attempt.addEventListener('click', async () => {
    attempt.disabled = true;
    if (editor) {
      editor.hidden = false;
      editor.rows = editor.value.split('\n').length + 1;
    }
    reply.textContent = await answer(call.dataset, editor?.value);
    reply.hidden = false;
    attempt.disabled = false;
    attempt.textContent = editor ? 'Send again' : 'Ask again';
  });
}

async function answer({ path, verb, headers }, body) {
  const key = sessionStorage.getItem('inkscan-key');
  const all = { ...JSON.parse(headers), ...(body ? { 'Content-Type': 'application/json' } : {}), ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  try {
    const response = await fetch(`.${path}`, { method: verb, body, headers: all });
    const text = await response.text();
    const isJson = /json|jiix/.test(response.headers.get('content-type'));
    return `${response.status}\n${isJson ? lines(JSON.parse(text)) : text}`;
  } catch {
    return 'The server cannot be reached.';
  }
}

/** JSON with a line for each key. */
function lines(value) {
  const fields = Object.entries(value).map(([name, field]) => `  ${JSON.stringify(name)}: ${JSON.stringify(field)}`);
  return `{\n${fields.join(',\n')}\n}`;
}
