// @ts-check
// Remembers what readers choose in tabs: the language of samples, the framework of a guide. Opens the tab of a fragment.

const storageName = 'portal.language';
/** @type {NodeListOf<HTMLInputElement>} */
const tabs = document.querySelectorAll('.tabs input[name$="-sample"]');

/** The choices, latest first: a page has tabs for some of them. */
function remembered() {
  try {
    return (localStorage.getItem(storageName) ?? '').split('\n');
  } catch {
    // Storage may be switched off; then every page begins with the first tab.
    return [];
  }
}
/** @param {string} name */
function select(name) {
  for (const tab of tabs) if (tab.value === name) tab.checked = true;
}
for (const name of remembered().reverse()) select(name);
for (const tab of tabs) {
  tab.addEventListener('change', () => {
    const before = tab.getBoundingClientRect().top;
    select(tab.value);
    // Samples above have another height now: what the reader chose stays in view.
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
    const names = [tab.value, ...remembered().filter((name) => name !== tab.value)];
    try {
      localStorage.setItem(storageName, names.slice(0, 9).join('\n'));
    } catch {
      // Then the choice holds for this page only.
    }
  });
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const text = target?.closest('.alternatives > section');
  if (!target || !text || target.checkVisibility()) return;
  const at = [...(text.parentElement?.querySelectorAll(':scope > section') ?? [])].indexOf(text);
  const tab = text.parentElement?.querySelectorAll('.tabs input')[at];
  if (tab instanceof HTMLInputElement) tab.checked = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
