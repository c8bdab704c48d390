/**
 * Loads the page again while an execution runs, with growing delays, and replaces its parts. Sections that the reader has
 * opened stay open, and the focus and the scroll positions stay where they are. A part in which text is selected waits.
 */
export const liveScript = `
'use strict';
const parts = () => [...document.querySelectorAll('[data-part]')];
const isLive = (page) => page.querySelector('[data-live]') !== null;
const keyOf = (element) => element && (element.matches('summary') ? element.parentElement.dataset.key : element.getAttribute('href'));
const replace = (part, next) => {
  const open = new Map([...part.querySelectorAll('details')].map((one) => [one.dataset.key, one.open]));
  const scrolled = [...part.querySelectorAll('[tabindex]')].map((one) => [one.scrollLeft, one.scrollTop]);
  const focus = part.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  part.replaceChildren(...next.childNodes);
  for (const one of part.querySelectorAll('details')) if (open.has(one.dataset.key)) one.open = open.get(one.dataset.key);
  part.querySelectorAll('[tabindex]').forEach((one, index) => {
    if (scrolled[index]) [one.scrollLeft, one.scrollTop] = scrolled[index];
  });
  if (focus) [...part.querySelectorAll('summary,a')].find((one) => keyOf(one) === focus)?.focus({ preventScroll: true });
};
const shown = new Map(parts().map((part) => [part.dataset.part, part.innerHTML]));
let delay = 1000;
const poll = async () => {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const selected = getSelection();
      for (const part of parts()) {
        const next = page.querySelector('[data-part="' + part.dataset.part + '"]');
        const isSelected = !selected.isCollapsed && part.contains(selected.anchorNode);
        const text = next?.innerHTML;
        if (!next || isSelected || text === shown.get(part.dataset.part)) continue;
        shown.set(part.dataset.part, text);
        replace(part, next);
      }
      document.title = page.title;
      if (!isLive(page)) return;
    }
  } catch {}
  delay = Math.min(delay * 1.1, 10000);
  setTimeout(poll, delay);
};
if (isLive(document)) setTimeout(poll, delay);
`;
