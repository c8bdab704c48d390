// @ts-check
/** @typedef {typeof import('../../../server/src/pages/search-index.js')} Library */
/** @typedef {ReturnType<Library['search']>[number]} Result */
/** @typedef {{element: HTMLDialogElement, input: HTMLInputElement, list: HTMLElement, status: HTMLElement}} Dialog */

/** @type {Promise<{library: Library, index: ReturnType<Library['loadIndex']>, base: string}> | undefined} */
let loading;
/** @type {Dialog | undefined} */
let dialog;
/** So many results come before the groups, which are in the order of their best results. */
const mostFirst = 3;
const mostOfGroup = 8;

/**
 * Opens the search over all guides and the reference.
 * @param {string} url of the index, which is fetched once
 * @param {string} [query] default: the previous one
 */
export function open(url, query) {
  loading ??= load(url);
  dialog ??= build();
  if (query !== undefined) dialog.input.value = query;
  if (!dialog.element.open) dialog.element.showModal();
  dialog.input.select();
  void show(dialog);
}

/**
 * The results of a query.
 * @param {string} url of the index
 * @param {string} query
 */
export async function find(url, query) {
  loading ??= load(url);
  const { library, index } = await loading;
  return library.search(index, query);
}

/**
 * The index and the code that reads it are loaded at the first use. The dialog does not wait for them.
 * @param {string} url
 */
async function load(url) {
  const [library, response] = await Promise.all([
    import('../../../server/src/pages/search-index.js'),
    fetch(url),
  ]);
  if (!response.ok) throw new Error(`The search index was not loaded: status ${response.status}`);
  return { library, index: library.loadIndex(await response.text()), base: response.url };
}

/** @returns {Dialog} */
function build() {
  const element = document.createElement('dialog');
  element.className = 'search';
  element.setAttribute('aria-label', 'Search the portal');
  // A constant: it contains nothing that a reader typed.
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
    // Only a click beside the content hits the dialog itself. A result may lead to the same page.
    if (target === element || (target instanceof Element && target.closest('a'))) element.close();
  });
  return found;
}

/** @param {Dialog} dialog */
async function show({ input, list, status }) {
  const query = input.value;
  let loaded;
  try {
    loaded = await loading;
  } catch {
    loading = undefined;
    status.textContent = 'The search could not be loaded. Close it and try again.';
    return;
  }
  // The reader may have typed on while the index was loading.
  if (!loaded || query !== input.value) return;
  const { library, index, base } = loaded;
  const results = query.trim() ? library.search(index, query) : library.suggestions(index);
  const isFirst = (/** @type {number} */ at) => query.trim() !== '' && at < mostFirst;
  const groups = Map.groupBy(results, (result, at) => (isFirst(at) ? 'Best matches' : groupNameOf(result)));
  list.replaceChildren(...[...groups].map(([name, found]) => groupOf(library, name, found, base)));
  status.hidden = results.length > 0 && query.trim() !== '';
  status.textContent = query.trim() ? 'No results. Try fewer or other words.' : 'Suggestions';
  select(input, list, 0);
}

/** @param {Result} result */
function groupNameOf({ where, href }) {
  if (where === 'Event') return 'Events';
  if (href.includes('/reference')) return 'Reference';
  if (where === 'Changelog') return where;
  return where === 'Errors' && /#\w+_\w+$/.test(href) ? 'Errors' : 'Guides';
}

/**
 * @param {Library} library
 * @param {string} name
 * @param {Result[]} results
 * @param {string} base the address of the index, from which the results lead
 */
function groupOf(library, name, results, base) {
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', name);
  const heading = line('div', 'group', [name]);
  heading.ariaHidden = 'true';
  group.append(heading, ...results.slice(0, mostOfGroup).map((result) => optionOf(library, result, base)));
  return group;
}

/**
 * @param {Library} library
 * @param {Result} result
 * @param {string} base
 */
function optionOf({ excerptOf, highlight }, result, base) {
  const { title, where, href, terms } = result;
  const link = document.createElement('a');
  link.className = 'result';
  link.id = `search-result-${href}`;
  link.href = new URL(href, base).href;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  link.append(line('strong', '', highlight(title, terms)), line('span', 'where', [where]));
  const excerpt = excerptOf(result);
  if (excerpt) link.append(line('span', 'excerpt', highlight(excerpt, terms)));
  return link;
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string[]} parts every second one is marked
 */
function line(tag, className, parts) {
  const element = document.createElement(tag);
  element.className = className;
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) element.append(part);
    else element.append(Object.assign(document.createElement('mark'), { textContent: part }));
  }
  return element;
}

/**
 * @param {Dialog} dialog
 * @param {KeyboardEvent} event
 */
function move({ element, input, list }, event) {
  const results = [...list.querySelectorAll('a')];
  const at = results.findIndex((one) => one.getAttribute('aria-selected') === 'true');
  if (event.key === 'ArrowDown') select(input, list, (at + 1) % results.length);
  else if (event.key === 'ArrowUp') select(input, list, (at - 1 + results.length) % results.length);
  // The browser's own reaction would only clear the field.
  else if (event.key === 'Escape') element.close();
  else if (event.key === 'Enter') {
    results[at]?.click();
    if (results[at]) element.close();
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
  for (const [index, one] of list.querySelectorAll('a').entries()) {
    one.setAttribute('aria-selected', String(index === at));
    if (index !== at) continue;
    input.setAttribute('aria-activedescendant', one.id);
    one.scrollIntoView({ block: 'nearest' });
  }
}
