// @ts-check
// Keyboard control of Redoc's menus. Redoc renders some at the end of the page, where Tab reaches them last, and its
// items do not support the arrow keys.

const steps = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);
/** The button whose menu was opened by key. */
let opener = /** @type {HTMLElement | undefined} */ (undefined);

export function menusByKey() {
  // Before Redoc handles the key.
  document.addEventListener('keydown', press, { capture: true });
  // Content at the end of the page needs a landmark.
  new MutationObserver(() => {
    for (const menu of [...document.querySelectorAll('[role="menu"]')].filter(isApart)) {
      menu.parentElement?.setAttribute('role', 'region');
      menu.parentElement?.setAttribute('aria-label', 'Menu of a control');
    }
  }).observe(document.body, { childList: true });
}

/** @param {KeyboardEvent} event */
function press(event) {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  if (target.matches('button[aria-haspopup="menu"]')) onButton(event, target);
  else if (target.matches('[role="menuitem"]')) onItem(event, target);
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} button
 */
function onButton(event, button) {
  const { key } = event;
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  if (isOpen && key === 'Escape') button.click();
  if (key !== 'ArrowDown' && (isOpen || !isChoice(key))) return;
  take(event);
  opener = button;
  if (!isOpen) button.click();
  // The menu is rendered by then.
  requestAnimationFrame(() => itemsOf(menuOf(button))[0]?.focus());
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} item
 */
function onItem(event, item) {
  const { key } = event;
  const menu = item.closest('[role="menu"]');
  const step = steps.get(key);
  if (step !== undefined) {
    const items = itemsOf(menu);
    items.at((items.indexOf(item) + step) % items.length)?.focus();
  } else if (isChoice(key)) {
    // Redoc would choose, but leave the menu open.
    item.click();
    opener?.focus();
  } else if (key === 'Escape' || (key === 'Tab' && isApart(menu))) {
    opener?.click();
    opener?.focus();
    // Tab goes on from the button.
    if (key === 'Tab') return;
  } else return;
  take(event);
}

/** @param {string} key */
function isChoice(key) {
  return key === 'Enter' || key === ' ';
}

/** @param {Element | null | undefined} menu */
function itemsOf(menu) {
  return /** @type {HTMLElement[]} */ ([...(menu?.querySelectorAll('[role="menuitem"]') ?? [])]);
}

/** @param {Element} button */
function menuOf(button) {
  const beside = button.parentElement?.querySelector('[role="menu"]');
  return beside ?? [...document.querySelectorAll('[role="menu"]')].find(isApart);
}

/**
 * Whether it is at the end of the page.
 * @param {Element | null} menu
 */
function isApart(menu) {
  return menu !== null && !document.getElementById('content')?.contains(menu);
}

/** @param {Event} event */
function take(event) {
  event.preventDefault();
  event.stopPropagation();
}
