// @ts-check
import './long-code.js';
import './page-menu.js';
import './same-place.js';
import { open } from './search.js';

// The behavior of all pages: theme, menu, copy buttons, current section in the contents, search.

const theme = document.querySelector('.top .theme');
theme?.addEventListener('click', () => document.dispatchEvent(new Event('portal:theme')));

const menu = document.querySelector('.top .menu');
const drawer = document.getElementById('menu');
/** @param {boolean} open */
function showMenu(open) {
  if (!drawer || !menu) return;
  if (open && !drawer.hasChildNodes()) drawer.append(...pagesForMenu());
  drawer.hidden = !open;
  // It covers the content, which the keyboard would reach after its last link.
  for (let below = drawer.nextElementSibling; below; below = below.nextElementSibling)
    below.toggleAttribute('inert', open);
  menu.setAttribute('aria-expanded', String(open));
  document.body.style.overflow = open ? 'hidden' : '';
}
/** The links of the header and beside the content, which narrow screens do not show. Only the current group is open. */
function pagesForMenu() {
  const menu = document.createElement('nav');
  menu.className = 'pages';
  menu.setAttribute('aria-label', 'Menu');
  const places = document.createElement('ul');
  const links = [
    ...document.querySelectorAll('.places a'),
    ...document.querySelectorAll('.environment .switch'),
  ];
  for (const link of links) {
    const item = document.createElement('li');
    item.append(link.cloneNode(true));
    places.append(item);
  }
  menu.append(places);
  const names = new Set(links.map(({ textContent }) => textContent));
  for (const group of document.querySelectorAll('.side details')) {
    const copy = /** @type {HTMLDetailsElement} */ (group.cloneNode(true));
    copy.open = copy.querySelector('[aria-current]') !== null;
    for (const link of copy.querySelectorAll('a'))
      if (names.has(link.textContent)) link.parentElement?.remove();
    menu.append(copy);
  }
  return [menu];
}
menu?.addEventListener('click', () => showMenu(drawer?.hidden === true));
// A link within the page does not load a new one, so the menu must close.
drawer?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) showMenu(false);
});

/** @param {Element} frame */
export function addCopyButton(frame) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.addEventListener('click', async () => {
    const shown = [...frame.querySelectorAll('code')].find((code) => code.checkVisibility());
    await navigator.clipboard.writeText(shown?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  frame.append(button);
}
for (const frame of document.querySelectorAll('.prose .code')) addCopyButton(frame);

/** Scrolls a list of links beside the content, never the page, until it shows a link of it. @param {Element} link */
function reveal(link) {
  const list = link.closest('.side, .contents');
  if (!list) return;
  const [{ top, bottom }, shown] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (top < shown.top + 40 || bottom > shown.bottom - 40)
    list.scrollTop += (top + bottom - shown.top - shown.bottom) / 2;
}
const current = document.querySelector('.side [aria-current]');
if (current) reveal(current);

/** The sections that the page lists beside its content: of each, its heading and its link. */
const sections = [...document.querySelectorAll(':is(.contents, .side .within) a')].flatMap((link) => {
  const heading = document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
  return heading ? [{ heading, link }] : [];
});
/** @typedef {typeof sections[number]} Section */
/** The section whose link or control the reader used last, until they scroll. @type {Section | undefined} */
let used;
/** @type {Element | undefined} */
let marked;
function markSection() {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  const top = (/** @type {Section | undefined} */ section) => section?.heading.getBoundingClientRect().top;
  const next = used && sections[sections.indexOf(used) + 1];
  const isUsedShown = used && (top(used) ?? 0) < clientHeight && (top(next) ?? clientHeight) > 96;
  // The last sections cannot reach the top: towards the end of the page, the line that a heading must pass moves down.
  const all = scrollHeight - clientHeight;
  const end = all && Math.max(0, 1 - (all - scrollTop) / Math.min(all, clientHeight / 2));
  const line = 96 + end * (clientHeight - 96);
  const link = (isUsedShown ? used : sections.findLast((section) => (top(section) ?? 0) < line))?.link;
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  marked = link;
  if (!link) return;
  link.setAttribute('aria-current', 'location');
  reveal(link);
}
if (sections.length > 0) {
  let isScheduled = false;
  const schedule = () => {
    if (!isScheduled)
      requestAnimationFrame(() => {
        isScheduled = false;
        markSection();
      });
    isScheduled = true;
  };
  const useTarget = () => {
    used = sections.find(({ heading }) => `#${heading.id}` === location.hash);
    schedule();
  };
  addEventListener('hashchange', useTarget);
  document.querySelector('main')?.addEventListener('focusin', ({ target, currentTarget }) => {
    if (!(target instanceof Node) || target === currentTarget) return;
    used = sections.findLast(
      ({ heading }) => target.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING,
    );
    schedule();
  });
  for (const event of ['wheel', 'touchmove'])
    addEventListener(event, () => (used = undefined), { passive: true });
  for (const event of ['scroll', 'resize']) addEventListener(event, schedule, { passive: true });
  // A form that opens, or a sample of another length, moves the sections without scrolling.
  new ResizeObserver(schedule).observe(document.body);
  useTarget();
}

const find = document.querySelector('.top .find');
function openSearch() {
  if (find instanceof HTMLElement) open(find.dataset['searchIndex'] ?? '');
}
find?.addEventListener('click', openSearch);
document.addEventListener(
  'keydown',
  (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    if (key === 'Escape' && drawer?.hidden === false) {
      showMenu(false);
      if (menu instanceof HTMLElement) menu.focus();
    }
    const inField =
      target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
    if (!((key.toLowerCase() === 'k' && (ctrlKey || metaKey)) || (key === '/' && !inField))) return;
    event.preventDefault();
    // Redoc's own search has the same shortcuts, but covers the reference only.
    event.stopPropagation();
    openSearch();
  },
  { capture: true },
);
