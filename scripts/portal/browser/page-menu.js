// @ts-check
// The menu of a page: what agents and their users copy.

const menu = document.querySelector('details.page-menu');
const status = menu?.querySelector('[role=status]');

/** @param {DOMStringMap} data */
async function copied({ copy, path = '' }) {
  if (copy === 'address') return new URL(path, location.href).href;
  const response = await fetch(path);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}

// Browsers have a clipboard only on https and on this machine.
if (menu instanceof HTMLDetailsElement && status && navigator.clipboard) {
  const buttons = menu.querySelectorAll('button');
  for (const button of buttons) {
    if (button.parentElement) button.parentElement.hidden = false;
    button.addEventListener('click', async () => {
      const text = copied(button.dataset).then((value) => new Blob([value], { type: 'text/plain' }));
      // Started before the text has arrived: browsers allow it only during the click.
      const item = new ClipboardItem({ 'text/plain': text });
      status.textContent = await navigator.clipboard.write([item]).then(
        () => 'Copied',
        () => 'Not copied: open the Markdown instead.',
      );
    });
  }
}
menu?.addEventListener('toggle', () => {
  if (status) status.textContent = '';
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Node && !menu?.contains(target)) menu?.removeAttribute('open');
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu?.hasAttribute('open')) return;
  menu.removeAttribute('open');
  menu.querySelector('summary')?.focus();
});
