// @ts-check
// Starts Redoc on what its builder has drawn, and mends what a screen reader would stumble over.

const content = document.getElementById('content');
const root = document.getElementById('redoc');

/** Redoc's headings by their look: an operation, a part of it, a part of that. */
const levels = { H4: '3', H5: '4', H6: '5' };

/** @param {ParentNode} within */
function mend(within) {
  for (const menu of within.querySelectorAll('.menu-content:not([role])')) {
    menu.setAttribute('role', 'navigation');
    menu.setAttribute('aria-label', 'Operations');
  }
  // A name that hides the text on the button: a person who speaks the text would not hit it.
  for (const button of within.querySelectorAll('button[aria-label][aria-haspopup]')) {
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
  }
  for (const heading of within.querySelectorAll(
    'h4:not([aria-level]), h5:not([aria-level]), h6:not([aria-level])',
  )) {
    const level = levels[/** @type {keyof typeof levels} */ (heading.tagName)];
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', level);
  }
  // What scrolls must be reachable with the keyboard.
  for (const code of within.querySelectorAll('pre:not([tabindex])')) code.setAttribute('tabindex', '0');
}

async function start() {
  if (!content || !root) return;
  const { redoc = '', definition = '' } = content.dataset;
  const [{ hydrate }, read] = await Promise.all([
    import(redoc),
    fetch(definition).then((answer) => answer.json()),
  ]);
  mend(content);
  // Redoc draws an operation when it comes near.
  new MutationObserver(() => mend(content)).observe(content, { childList: true, subtree: true });
  hydrate(read.definition, read.options, root);
}

void start();
