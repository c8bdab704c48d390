// @ts-check
// The buttons below long code, which is cut only where they are shown.

/**
 * @param {Element} button
 * @param {boolean} isExpanded
 */
function expand(button, isExpanded) {
  if (!(button instanceof HTMLElement)) return;
  button.dataset['all'] ??= button.textContent ?? '';
  button.textContent = isExpanded ? 'Show fewer lines' : button.dataset['all'];
  button.setAttribute('aria-expanded', String(isExpanded));
  // What was above it is gone.
  if (!isExpanded) button.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('.more');
  if (button) expand(button, button.getAttribute('aria-expanded') === 'false');
});

// Browsers scroll what is cut to text that they find in it.
document.addEventListener(
  'scroll',
  ({ target }) => {
    if (!(target instanceof HTMLElement) || target.scrollTop === 0) return;
    const button = target.nextElementSibling;
    if (!button?.matches('.more[aria-expanded="false"]')) return;
    const { scrollTop } = target;
    expand(button, true);
    scrollBy(0, scrollTop);
  },
  { capture: true },
);
