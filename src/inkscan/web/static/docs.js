// The page about the API, made from openapi.json; requests can be tried in place.

const make = (name, text = '', attributes = {}) => {
  const element = Object.assign(document.createElement(name), attributes);
  if (text) element.textContent = text;
  return element;
};

const api = await (await fetch('openapi.json')).json();
document.getElementById('intro').textContent = `${api.info.description} Version ${api.info.version}.`;
for (const [path, verbs] of Object.entries(api.paths)) {
  for (const [verb, route] of Object.entries(verbs)) document.getElementById('routes').append(routeElement(path, verb, route));
}

function routeElement(path, verb, route) {
  const details = make('details');
  const summary = make('summary');
  summary.append(make('b', verb.toUpperCase()), make('code', path), make('span', route.summary, { className: 'about' }));
  const body = make('div', '', { className: 'body' });
  if (route.description) body.append(make('p', route.description));
  const json = route.requestBody?.content['application/json'];
  const input = json && make('textarea', JSON.stringify(json.example, null, 1), { ariaLabel: 'Body', spellcheck: false });
  const output = make('pre', '', { hidden: true });
  const button = make('button', 'Try it', { className: 'primary', type: 'button' });
  button.style.justifySelf = 'start';
  button.addEventListener('click', () => tryIt(path, verb, input, output));
  if (input) body.append(make('h3', 'Body'), input);
  body.append(button, output, make('h3', 'Answers'), answers(route.responses));
  details.append(summary, body);
  return details;
}

function answers(responses) {
  const table = make('table');
  for (const [status, { description }] of Object.entries(responses)) {
    const row = table.insertRow();
    row.insertCell().textContent = status;
    row.insertCell().textContent = description;
  }
  return table;
}

async function tryIt(path, verb, input, output) {
  const request = input ? { method: verb, body: input.value, headers: { 'Content-Type': 'application/json' } } : {};
  output.hidden = false;
  try {
    const response = await fetch(`.${path}`, request);
    const text = await response.text();
    const isJson = response.headers.get('content-type').includes('json');
    output.textContent = `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 1) : text}`;
  } catch {
    output.textContent = 'The server is away.';
  }
}
