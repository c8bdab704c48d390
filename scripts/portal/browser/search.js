// @ts-check
import { excerptOf, marked, rank, soughtIn } from './search-rank.js';

/** @typedef {import('./search-rank.js').Entry} Entry */
/** @typedef {import('./search-rank.js').Sought} Sought */

/** @type {Promise<Entry[]> | undefined} */
let loading;
/** @type {Dialog | undefined} */
let dialog;

/** @typedef {{element: HTMLDialogElement, input: HTMLInputElement, list: HTMLElement, status: HTMLElement}} Dialog */

/**
 * Opens the search over all guides and the reference.
 * @param {string} index the address of the index, fetched once
 */
export function open(index) {
  loading ??= fetch(index).then((answer) => {
    if (!answer.ok) throw new Error(`The search index was answered with ${answer.status}`);
    return answer.json();
  });
  dialog ??= build();
  if (!dialog.element.open) dialog.element.showModal();
  dialog.input.select();
  void show(dialog);
}

/** @returns {Dialog} */
function build() {
  const element = document.createElement('dialog');
  element.className = 'search';
  element.setAttribute('aria-label', 'Search the portal');
  // Written here, never made of what somebody typed.
  element.innerHTML = `<form method="dialog" role="search">
<input type="search" role="combobox" aria-expanded="true" aria-controls="search-results" aria-autocomplete="list"
 aria-label="Search guides and reference" placeholder="Search guides and reference" autocomplete="off" spellcheck="false" autofocus>
<button type="submit" title="Close the search">Esc</button></form>
<p class="status" role="status"></p><div class="results" id="search-results" role="listbox" aria-label="Results"></div>`;
  document.body.append(element);
  const found = {
    element,
    input: /** @type {HTMLInputElement} */ (element.querySelector('input')),
    list: /** @type {HTMLElement} */ (element.querySelector('.results')),
    status: /** @type {HTMLElement} */ (element.querySelector('.status')),
  };
  found.input.addEventListener('input', () => void show(found));
  found.input.addEventListener('keydown', (event) => move(found, event));
  element.addEventListener('click', ({ target }) => {
    // The dialog itself is only hit beside its content; a result leads away, perhaps on this page.
    if (target === element || (target instanceof Element && target.closest('a'))) element.close();
  });
  return found;
}

/** @param {Dialog} dialog */
async function show({ input, list, status }) {
  const asked = input.value;
  let entries;
  try {
    entries = await (loading ?? []);
  } catch {
    loading = undefined;
    status.textContent = 'The search could not be loaded. Close it and try again.';
    return;
  }
  // Somebody types on while the index arrives.
  if (asked !== input.value) return;
  const sought = soughtIn(entries, asked);
  const results = rank(entries, sought).slice(0, 24);
  list.replaceChildren(...results.map((entry, index) => resultOf(entry, sought, index)));
  status.hidden = results.length > 0;
  status.textContent =
    sought.length === 0 ? 'Operations, error codes, fields, anything in a guide.' : 'Nothing was found.';
  select(input, list, 0);
}

/**
 * @param {Entry} entry
 * @param {Sought[]} sought
 * @param {number} index
 */
function resultOf(entry, sought, index) {
  const { title, where, href } = entry;
  const link = document.createElement('a');
  link.className = 'result';
  link.id = `search-result-${index}`;
  link.href = href;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  const place = document.createElement('span');
  place.className = 'where';
  place.textContent = where;
  const name = document.createElement('strong');
  name.append(...withMarks(title, sought));
  link.append(name, place);
  const excerpt = excerptOf(entry, sought);
  if (excerpt) {
    const line = document.createElement('span');
    line.className = 'excerpt';
    line.append(...withMarks(excerpt, sought));
    link.append(line);
  }
  return link;
}

/**
 * @param {string} text
 * @param {Sought[]} sought
 */
function withMarks(text, sought) {
  return marked(text, sought).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/**
 * @param {Dialog} dialog
 * @param {KeyboardEvent} event
 */
function move({ element, input, list }, event) {
  const results = [...list.children];
  const at = results.findIndex((one) => one.getAttribute('aria-selected') === 'true');
  if (event.key === 'ArrowDown') select(input, list, (at + 1) % results.length);
  else if (event.key === 'ArrowUp') select(input, list, (at - 1 + results.length) % results.length);
  // A browser would first empty the field.
  else if (event.key === 'Escape') element.close();
  else if (event.key === 'Enter') {
    const chosen = results[at];
    if (chosen instanceof HTMLAnchorElement) chosen.click();
    if (chosen) element.close();
  } else return;
  event.preventDefault();
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {number} at
 */
function select(input, list, at) {
  input.removeAttribute('aria-activedescendant');
  for (const [index, one] of [...list.children].entries()) {
    one.setAttribute('aria-selected', String(index === at));
    if (index !== at) continue;
    input.setAttribute('aria-activedescendant', one.id);
    one.scrollIntoView({ block: 'nearest' });
  }
}
