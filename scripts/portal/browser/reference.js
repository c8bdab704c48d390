// @ts-check
import { menusByKey } from './reference-menus.js';

// Starts Redoc on what its builder has rendered, and fixes its accessibility.

const content = document.getElementById('content');
const root = document.getElementById('redoc');

/** The outline level of Redoc's headings, which Redoc chooses by size: the overview, a part of an operation, its parts. */
const levels = { H1: '2', H4: '3', H5: '4', H6: '5' };

/** @param {ParentNode} within */
function fixMarkup(within) {
  for (const menu of within.querySelectorAll('.menu-content:not([role])')) {
    menu.setAttribute('role', 'navigation');
    menu.setAttribute('aria-label', 'Operations');
  }
  // Speech control uses the text on the button, which such a name hides.
  for (const button of within.querySelectorAll('button[aria-label][aria-haspopup]')) {
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
  }
  for (const heading of within.querySelectorAll(':is(h1, h4, h5, h6):not([aria-level])')) {
    const level = levels[/** @type {keyof typeof levels} */ (heading.tagName)];
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', level);
  }
  // It scrolls, so the keyboard must reach it.
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
 * Sets the document's title to that of the operation or group in view.
 * @param {Map<string, string>} titles
 */
function updateTitle(titles) {
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
    updateTitle(titles);
  };
  draw();
  menusByKey();
  addEventListener('hashchange', draw);
  // Redoc's event for a URL that it changes while the reader scrolls.
  addEventListener('redocly:urlreplace', draw);
  // Redoc renders an operation when it comes into view.
  new MutationObserver(draw).observe(content, { childList: true, subtree: true });
  hydrate(read.definition, read.options, root);
}

void start();
