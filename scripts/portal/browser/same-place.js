// @ts-check
// A link to the same page of the other environment keeps the reader's theme and place. The place is a section, which any
// browser finds by its fragment, and how much of the section is above: it can be shorter or longer there.

const parameter = 'at';
/** Where the heading is after its link was followed, and how far below it still begins what the reader sees. */
const line = 72;
const tolerance = 24;
const topOf = (/** @type {Element} */ element) => element.getBoundingClientRect().top;

/** The sections that are shown, by what their links lead to. */
const sections = () =>
  [...document.querySelectorAll('main :is(h2, h3, h4, .entry)[id]')].filter((one) => one.checkVisibility());

/**
 * The height of a section, or of what precedes the first one.
 * @param {Element} section
 */
function heightOf(section) {
  const all = sections();
  const next = all[all.indexOf(section) + 1];
  const end = document.querySelector('main')?.getBoundingClientRect().bottom ?? 0;
  return (next ? topOf(next) : end) - topOf(section);
}

/** The fragment of what the reader sees, and how much of its section is above. */
function placeInView() {
  const main = document.querySelector('main');
  // Redoc writes the place into the URL.
  if (!main || document.getElementById('redoc')) return { hash: location.hash, above: 0 };
  const all = sections();
  const isInView = (/** @type {Element} */ one) => topOf(one) > 0 && topOf(one) < innerHeight;
  const section =
    all.find((one) => one.matches(':target') && isInView(one)) ??
    all.findLast((one) => topOf(one) < line + tolerance);
  if (!section && scrollY === 0) return { hash: '', above: 0 };
  const from = section ?? main;
  return { hash: section?.id ?? '', above: (line - topOf(from)) / heightOf(from) };
}

for (const event of ['click', 'pointerover', 'focusin']) {
  document.addEventListener(
    event,
    ({ target }) => {
      const link = target instanceof Element && target.closest('a[data-same-place]');
      if (!(link instanceof HTMLAnchorElement)) return;
      const { theme } = document.documentElement.dataset;
      const { hash, above } = placeInView();
      const query = new URLSearchParams(theme && { theme });
      if (Math.abs(above) > 0.0001) query.set(parameter, above.toFixed(4));
      link.search = String(query);
      link.hash = hash;
    },
    { capture: true },
  );
}

const url = new URL(location.href);
const above = url.searchParams.get(parameter);
if (above !== null) {
  url.searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
  // Until then, browsers scroll to the fragment.
  addEventListener('load', () => {
    const section = document.querySelector(':target') ?? document.querySelector('main');
    if (section) scrollBy(0, topOf(section) + Number(above) * heightOf(section) - line);
  });
}
