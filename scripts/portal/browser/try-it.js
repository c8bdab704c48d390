// @ts-check
import { addCopyButton } from './portal.js';

// Sends the request of an operation to the sandbox that serves this page, or to a mock on this machine. Nothing is sent
// before the reader presses the button of the form.

const tokenName = 'portal.token';
/** In pixels. More of a body is cut, as other long code. */
const shownHeight = 640;
/** More of a body is slow to show. */
const shownBytes = 300_000;
const isLoopback = (/** @type {URL} */ { hostname }) => /^(localhost|127\.0\.0\.1)$/.test(hostname);
/** A name with its colon, a string, a number, or a constant. */
const jsonTokens = /("(?:[^"\\\n]|\\.)*"(?:\s*:)?|\b(?:true|false|null|\d[\d.]*)\b)/;

for (const link of document.querySelectorAll('a.try-it')) {
  // The portal of production leads to that of the sandbox, whose pages may call it.
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) continue;
  const section = link.closest('.operation');
  const template = section?.querySelector('template');
  if (!section || !template) continue;
  const button = element('button', { type: 'button', className: 'try-it', textContent: link.textContent });
  button.setAttribute('aria-expanded', 'false');
  /** @type {HTMLFormElement | undefined} */
  let form;
  button.addEventListener('click', () => {
    form ??= openedForm(template);
    const isOpen = form.classList.toggle('open');
    button.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    form.scrollIntoView({ block: 'nearest' });
    const [first] = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(({ value }) => !value);
    (first ?? form.querySelector('button'))?.focus();
  });
  link.replaceWith(button);
  // Until then, browsers take the focus away to scroll to the fragment.
  if (location.search === '?try' && link.hash === location.hash)
    addEventListener('load', () => button.click(), { once: true });
}

/** @param {HTMLTemplateElement} template */
function openedForm(template) {
  template.before(template.content.cloneNode(true));
  const form = /** @type {HTMLFormElement} */ (template.previousElementSibling);
  const token = form.querySelector('[data-secret]');
  if (token instanceof HTMLInputElement) {
    // Not in the page itself, which would look like a sign-in.
    token.type = 'password';
    token.value = stored();
    // A token that was entered for one operation is there for the others.
    token.addEventListener('focus', () => (token.value ||= stored()));
    token.addEventListener('input', () => store(token.value.trim()));
  }
  const send = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  /** @type {AbortController | undefined} */
  let running;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return running.abort();
    running = new AbortController();
    send.textContent = 'Cancel';
    await sendRequest(form, running.signal);
    send.textContent = 'Send';
    running = undefined;
  });
  const server = /** @type {HTMLInputElement} */ (form.elements.namedItem('server'));
  const where = form.querySelector('.effect span');
  server.addEventListener('input', () => {
    server.setCustomValidity(serverProblem(form, server));
    if (where)
      where.textContent = server.value === server.defaultValue ? 'in the sandbox' : `at ${server.value}`;
  });
  return form;
}

/**
 * Requests to production must not be possible by mistake.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} server
 */
function serverProblem(form, { value, defaultValue }) {
  if (value === defaultValue || !URL.canParse(value)) return '';
  const url = new URL(value);
  const production = new URL(form.dataset['production'] ?? '');
  const isProduction = isLoopback(production) && url.port === production.port;
  return isLoopback(url) && !isProduction
    ? ''
    : `Enter ${defaultValue}, or the URL of a mock on this machine.`;
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const { method = '', template = '' } = form.dataset;
  let filled = template;
  const query = new URLSearchParams();
  const headers = new Headers();
  const parts = new FormData();
  /** @type {BodyInit | null} */
  let body = null;
  for (const control of /** @type {HTMLInputElement[]} */ ([...form.elements])) {
    const { value, files } = control;
    const [, place = control.name, name = ''] = /^(\w+)\.(.*)$/.exec(control.name) ?? [];
    if (place === 'path') filled = filled.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.append(name, value);
    else if (place === 'header') headers.set(name, value.trim());
    else if (place === 'part') {
      const values = 'lines' in control.dataset ? value.split('\n').filter(Boolean) : [value];
      for (const one of files ?? values) parts.append(name, one);
      body = parts;
    } else if (place === 'body') {
      body = value;
      headers.set('Content-Type', control.dataset['type'] ?? '');
    }
  }
  const server = String(new FormData(form).get('server')).replace(/\/$/, '');
  const url = `${server}${filled}${query.size > 0 ? `?${query}` : ''}`;
  return new Request(url, { method, headers, body, credentials: 'omit' });
}

/**
 * @param {HTMLFormElement} form
 * @param {AbortSignal} signal
 */
async function sendRequest(form, signal) {
  form.parentElement?.querySelector('.response')?.remove();
  const frame = element('section', { className: 'code response' });
  frame.setAttribute('aria-label', 'Response');
  const bar = element('div', { className: 'bar' });
  bar.setAttribute('role', 'status');
  frame.append(bar);
  form.after(frame);
  /** @type {(title: string, ...texts: string[]) => void} */
  const show = (title, ...texts) =>
    bar.replaceChildren(
      element('strong', { textContent: title }),
      element('span', { textContent: texts.join(' · ') }),
    );
  const fail = (/** @type {string} */ title, /** @type {string} */ about) => {
    frame.classList.add('bad');
    show(title);
    frame.append(element('p', { textContent: about }));
  };
  const started = performance.now();
  /** @type {Response | undefined} */
  let response;
  try {
    const request = requestOf(form);
    show('Sending …');
    response = await fetch(request, { signal }).catch(() => undefined);
    if (response) {
      const { status, statusText, ok, headers } = response;
      const title = `${status} ${statusText}`.trim();
      frame.classList.add(ok ? 'good' : 'bad');
      show(title, 'receiving the body …');
      const body = await response.blob();
      const wait = status === 429 && headers.get('Retry-After');
      const milliseconds = `${Math.round(performance.now() - started)} ms`;
      show(title, milliseconds, sizeOf(body.size), ...(wait ? [`try again in ${wait} s`] : []));
      await showBody(frame, body, headers, form.dataset['name'] ?? '');
      showHeaders(frame, headers);
    } else if (signal.aborted) fail('Cancelled', 'The server may have handled the request.');
    else fail('No response', 'The server is not reachable, or does not allow calls from this page.');
  } catch (error) {
    const about = error instanceof Error ? error.message : String(error);
    fail(signal.aborted ? 'Cancelled' : response ? 'The response is incomplete' : 'Not sent', about);
  }
  // The response is below the button, which sends the next request.
  form.querySelector('button')?.scrollIntoView({ block: 'start' });
}

/**
 * @param {Element} frame
 * @param {Blob} body
 * @param {Headers} headers
 * @param {string} name of the file, unless the response names one
 */
async function showBody(frame, body, headers, name) {
  if (body.size === 0) return;
  const type = headers.get('Content-Type') ?? '';
  const isJson = /\bjson\b/.test(type);
  const isText = isJson || /^text\/|pem/.test(type);
  const isWhole = isText && body.size <= shownBytes;
  if (!isWhole) {
    const disposition = headers.get('Content-Disposition') ?? '';
    const [, encoded, plain = name] =
      /filename\*=UTF-8''([^;]+)|filename="?([^";]+)/i.exec(disposition) ?? [];
    const download = element('a', {
      href: URL.createObjectURL(body),
      download: encoded === undefined ? plain : decodeURIComponent(encoded),
      textContent: 'Download',
    });
    const about = isText ? `The first ${sizeOf(shownBytes)} are shown. ` : `${type || 'A file'}. `;
    frame.append(element('p', {}, about, download));
  }
  if (!isText) return;
  const text = await body.slice(0, shownBytes).text();
  const code = element('code', {}, ...(isJson && isWhole ? colored(indented(text)) : [text]));
  const shown = element('pre', { tabIndex: 0 }, code);
  frame.append(shown);
  if (shown.offsetHeight > shownHeight)
    shown.after(
      element('button', {
        type: 'button',
        className: 'more',
        ariaExpanded: 'false',
        textContent: 'Show all',
      }),
    );
  addCopyButton(frame);
}

/**
 * @param {Element} frame
 * @param {Headers} headers
 */
function showHeaders(frame, headers) {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const summary = element('summary', { textContent: `${lines.length} headers` });
  const list = element('pre', { tabIndex: 0, textContent: lines.join('\n') });
  frame.append(element('details', {}, summary, list));
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {string} json */
function colored(json) {
  return json.split(jsonTokens).map((text, index) => {
    if (index % 2 === 0) return text;
    const kind = text.startsWith('"') ? (text.endsWith(':') ? 'attr' : 'string') : 'number';
    return element('span', { className: `tok-${kind}`, textContent: text });
  });
}

/** @param {number} bytes */
function sizeOf(bytes) {
  return bytes < 1000
    ? `${bytes} bytes`
    : `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 * @param {(Node | string)[]} children
 */
function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

function stored() {
  try {
    return sessionStorage.getItem(tokenName) ?? '';
  } catch {
    // Storage may be switched off; then a token holds for one form only.
    return '';
  }
}

/** @param {string} token */
function store(token) {
  try {
    sessionStorage.setItem(tokenName, token);
  } catch {
    // Then it holds for this form only.
  }
}
