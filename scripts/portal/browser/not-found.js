// @ts-check
// Suggests pages whose address or text is close to the requested one.
import { distance } from '../../../spec/rules/nearest.js';
import { find, open } from './search.js';

const most = 5;
const button = document.querySelector('.top .find');
const index = (button instanceof HTMLElement && button.dataset['searchIndex']) || '';
const requested = decoded(location.pathname.replace(/^\/docs\/?/, '').replace(/\.(html?|md)$/, ''));
const words = requested
  .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  .replaceAll(/[^\p{L}\p{N}_]+/gu, ' ')
  .trim();

for (const link of document.querySelectorAll('a[data-same-place]'))
  if (link instanceof HTMLAnchorElement) link.pathname = link.pathname.replace(/\/docs$/, location.pathname);

const article = document.querySelector('.prose');
if (article) {
  const form = document.createElement('form');
  form.className = 'search-again';
  form.setAttribute('role', 'search');
  form.innerHTML = `<input type="search" aria-label="Search guides and reference"><button>Search</button>`;
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input'));
  input.value = words;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    open(index, input.value);
  });
  article.append(form);
  const found = await find(index, words).catch(() => []);
  /** One of each title. @type {Map<string, readonly [href: string, title: string]>} */
  const links = new Map();
  for (const link of [
    ...similarPages(),
    ...found.map(({ href, title }) => /** @type {const} */ ([href, title])),
  ]) {
    const title = link[1].toLowerCase();
    if (!links.has(title)) links.set(title, link);
  }
  if (links.size > 0) suggest(article, form, [...links.values()].slice(0, most));
}

/**
 * @param {Element} article
 * @param {Element} before
 * @param {(readonly [href: string, title: string])[]} links
 */
function suggest(article, before, links) {
  const heading = document.createElement('h2');
  heading.textContent = 'Did you mean';
  const list = document.createElement('ul');
  for (const [href, title] of links) {
    const item = document.createElement('li');
    item.append(Object.assign(document.createElement('a'), { href, textContent: title }));
    list.append(item);
  }
  article.insertBefore(heading, before);
  article.insertBefore(list, before);
}

/** The pages of the menu whose last part of the address resembles that of the requested one, most similar first. */
function similarPages() {
  const wanted = lastPart(requested);
  return [...document.querySelectorAll('.side .pages a')]
    .map((link) => {
      const href = link.getAttribute('href') ?? '';
      const name = lastPart(href.replace(/^\/docs\/?/, ''));
      const difference = distance(wanted, name) / Math.max(wanted.length, name.length, 1);
      return { difference, entry: /** @type {const} */ ([href, link.textContent ?? '']) };
    })
    .filter(({ difference }) => difference <= 0.4)
    .sort((a, b) => a.difference - b.difference)
    .map(({ entry }) => entry);
}

/** @param {string} path */
function lastPart(path) {
  return path.toLowerCase().split(/[/#]+/).filter(Boolean).at(-1)?.slice(0, 60) ?? '';
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
