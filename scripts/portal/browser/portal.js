// @ts-check
import './page-menu.js';
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
/** The links beside the content, which narrow screens do not show. */
function pagesForMenu() {
  const copies = [...document.querySelectorAll('.side .pages')].map((pages) => pages.cloneNode(true));
  for (const copy of copies) if (copy instanceof Element) copy.setAttribute('aria-label', 'Menu');
  return copies;
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

const contents = new Map(
  [...document.querySelectorAll(':is(.contents, .side .within) a')].map((link) => [
    link.getAttribute('href')?.slice(1),
    link,
  ]),
);
if (contents.size > 0) {
  const observer = new IntersectionObserver(
    (entries) => {
      const first = entries.find(({ isIntersecting }) => isIntersecting);
      if (!first) return;
      for (const [id, link] of contents) {
        if (id === first.target.id) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-60px 0px -70% 0px' },
  );
  for (const heading of document.querySelectorAll('.prose :is(h2, h3)[id]')) observer.observe(heading);
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
