// @ts-check
import { menusByKey } from './reference-menus.js';

// Starts Redoc on what its builder has rendered, and fixes its accessibility.

const content = document.getElementById('content');
const root = document.getElementById('redoc');

/** Redoc's headings by their look: the overview (the page has a heading), a part of an operation, a part of that. */
const levels = { H1: '2', H4: '3', H5: '4', H6: '5' };

/** @param {ParentNode} within */
function fixMarkup(within) {
  for (const menu of within.querySelectorAll('.menu-content:not([role])')) {
    menu.setAttribute('role', 'navigation');
    menu.setAttribute('aria-label', 'Operations');
  }
  // A name that hides the text on the button: a person who speaks the text would not hit it.
  for (const button of within.querySelectorAll('button[aria-label][aria-haspopup]')) {
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
  }
  for (const heading of within.querySelectorAll(':is(h1, h4, h5, h6):not([aria-level])')) {
    const level = levels[/** @type {keyof typeof levels} */ (heading.tagName)];
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', level);
  }
  // What scrolls must be reachable with the keyboard.
  for (const code of within.querySelectorAll('pre:not([tabindex])')) code.setAttribute('tabindex', '0');
}

const pageTitle = document.title;

/**
 * The titles of what addresses within the page name, such as `#/users/getuser`.
 * @param {{tags: {name: string, 'x-displayName'?: string}[], paths: object, webhooks?: object}} definition
 */
function titlesOf({ tags, paths, webhooks = {} }) {
  const titles = new Map(tags.map(({ name, 'x-displayName': title = name }) => [`#/${name}`, title]));
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item),
  );
  for (const { operationId, tags: [tag] = [], summary } of operations) {
    if (operationId) titles.set(`#/${tag}/${operationId.toLowerCase()}`, summary);
  }
  return titles;
}

/**
 * The page's title says where in it the reader is.
 * @param {Map<string, string>} titles
 */
function entitle(titles) {
  const [, address = ''] = /^(#\/[^#]*)/.exec(location.hash) ?? [];
  const title = titles.get(decodeURIComponent(address));
  const whole = title ? `${title} · ${pageTitle}` : pageTitle;
  if (document.title !== whole) document.title = whole;
}

async function start() {
  if (!content || !root) return;
  const { redoc = '', definition = '' } = content.dataset;
  const [{ hydrate }, read] = await Promise.all([
    import(redoc),
    fetch(definition).then((response) => response.json()),
  ]);
  const titles = titlesOf(read.definition);
  const draw = () => {
    fixMarkup(content);
    entitle(titles);
  };
  draw();
  menusByKey();
  addEventListener('hashchange', draw);
  // As Redoc says when it changes the address along with what is scrolled to.
  addEventListener('redocly:urlreplace', draw);
  // Redoc renders an operation when it comes into view.
  new MutationObserver(draw).observe(content, { childList: true, subtree: true });
  hydrate(read.definition, read.options, root);
}

void start();
