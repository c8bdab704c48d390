// @ts-check
// Filters the list of errors by what the reader types.

const lists = [...document.querySelectorAll('.errors-list')].map((list) => {
  const shown = [list];
  for (let above = list.previousElementSibling; above; above = above.previousElementSibling) {
    shown.push(above);
    if (above.matches('h2')) break;
  }
  return { shown, entries: /** @type {HTMLElement[]} */ ([...list.children]) };
});
const filter = document.createElement('p');
filter.className = 'filter';
const input = Object.assign(document.createElement('input'), {
  type: 'search',
  ariaLabel: 'Filter the errors',
  placeholder: 'Filter by code, status or words',
});
const count = document.createElement('span');
count.setAttribute('role', 'status');
filter.append(input, count);
lists[0]?.shown.at(-1)?.before(filter);

function show() {
  const words = input.value.toLowerCase().split(/\s+/);
  let found = 0;
  for (const { shown, entries } of lists) {
    for (const entry of entries) {
      const text = entry.textContent?.toLowerCase() ?? '';
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) found += 1;
    }
    const isEmpty = entries.every(({ hidden }) => hidden);
    for (const element of shown) element.toggleAttribute('hidden', isEmpty);
  }
  count.textContent = `${found} errors`;
}
input.addEventListener('input', show);
// A link to an error that the filter hides.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || target.checkVisibility()) return;
  input.value = '';
  show();
  target.scrollIntoView();
});
show();
