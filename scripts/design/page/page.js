import { groupsOf, saveText, verdictOf } from '/design/verdict.js';

const start = '/docs/reference';
const find = (id) => document.getElementById(id);
const [verdict, save, mock, toggle, panel, portal] = [
  'verdict',
  'save',
  'mock',
  'toggle',
  'panel',
  'portal',
].map(find);

/** The visible frame, and the version of the portal in it. */
let shown;
let shownVersion = 0;
/** Whether the user opened or closed the panel: it stays so until the next broken save. */
let opened;

followColourMode();
addEventListener('storage', followColourMode);

const events = new EventSource('/design/events');
events.onmessage = ({ data }) => {
  const { report, portal: version, mock: url } = JSON.parse(data);
  if (url) showMock(url);
  if (report) show(report);
  if (version > shownVersion) load(version);
};
events.onerror = () => {
  document.documentElement.dataset.verdict = 'broken';
  verdict.textContent = 'npm run design has stopped';
};
toggle.onclick = () => {
  opened = panel.hidden;
  open(opened);
};

function show(report) {
  const { kind, text } = verdictOf(report);
  document.documentElement.dataset.verdict = kind;
  document.title =
    kind === 'broken' ? `✗ ${text.split(':')[0]}` : kind === 'attention' ? '! Design' : 'Design';
  if (verdict.textContent !== text) verdict.textContent = text;
  save.textContent = saveText(report);
  if (report.portal?.error && !shown)
    find('waiting').textContent = 'The portal could not be built; see Details.';
  const groups = groupsOf(report);
  panel.replaceChildren(...groups.flatMap(sectionOf));
  toggle.hidden = groups.length === 0;
  if (kind === 'broken') opened = undefined;
  open(groups.length > 0 && (opened ?? kind === 'broken'));
}

function showMock(url) {
  const link = element('a', url);
  link.href = url;
  mock.replaceChildren('Mock ', link);
}

function open(isOpen) {
  panel.hidden = !isOpen;
  toggle.setAttribute('aria-expanded', String(isOpen));
}

function sectionOf({ title, items }) {
  const list = element('ul');
  list.append(
    ...items.map(({ place, rule, text, fixes = [], schema, also = [] }) => {
      const item = element('li');
      const head = element('p');
      if (place) head.append(placeLink(place));
      if (rule) head.append(element('span', rule, 'rule'));
      item.append(head, paragraph(text), ...fixes.map((fix) => paragraph(fix, 'fix')));
      if (schema) {
        const line = element('p', 'The schema: ');
        line.append(placeLink(schema));
        item.append(line);
      }
      if (also.length > 0) item.append(otherPlaces(also));
      return item;
    }),
  );
  return [element('h2', title), list];
}

/** A `file:line:column` that opens in the editor. */
function placeLink(place) {
  const button = element('button', place, 'place');
  button.type = 'button';
  button.title = 'Open in the editor';
  button.onclick = async () => {
    const response = await fetch(`/design/open?place=${encodeURIComponent(place)}`, { method: 'POST' });
    button.classList.toggle('failed', !response.ok);
    button.title = response.ok ? 'Open in the editor' : await response.text();
  };
  return button;
}

function otherPlaces(places) {
  const details = element('details');
  const list = element('ul');
  list.append(
    ...places.map((place) => {
      const item = element('li');
      item.append(placeLink(place));
      return item;
    }),
  );
  details.append(element('summary', `The same in ${places.length} more`), list);
  return details;
}

/** A paragraph; text between backticks is code. */
function paragraph(text, className = '') {
  const made = element('p', '', className);
  made.append(...text.split('`').map((part, index) => (index % 2 === 1 ? element('code', part) : part)));
  return made;
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Loads the new portal behind the visible one and shows it once it is drawn, so that nothing flickers. */
function load(version) {
  shownVersion = version;
  const frame = element('iframe', '', 'next');
  frame.title = 'Portal';
  frame.src = shown ? addressIn(shown) : requestedPage();
  for (const waiting of portal.querySelectorAll('iframe.next, .waiting')) waiting.remove();
  portal.append(frame);
  frame.onload = async () => {
    await drawn(frame);
    if (frame !== portal.lastElementChild) return;
    frame.contentWindow.scrollTo(0, shown?.contentWindow.scrollY ?? frame.contentWindow.scrollY);
    frame.classList.remove('next');
    shown?.remove();
    shown = frame;
    // Every later load is the reader's navigation.
    frame.onload = () => remember(frame);
    remember(frame);
    const openFor = Math.round(performance.now());
    await fetch(`/design/shown?version=${version}&openFor=${openFor}`, { method: 'POST' });
  };
}

/** The page of the portal that the URL names. Nothing else is loaded: a link may come from anybody. */
function requestedPage() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  return /^\/docs(?:[/#]|$)/.test(wanted) ? wanted : start;
}

/** Resolves when the page has a heading and two frames have passed, at the latest after five seconds. */
async function drawn({ contentDocument, contentWindow }) {
  const until = performance.now() + 5000;
  while (!contentDocument.querySelector('h1, h2') && performance.now() < until) await pause(contentWindow);
  await pause(contentWindow);
  await pause(contentWindow);
}

function pause(view) {
  return new Promise((resolve) => {
    view.setTimeout(resolve, 30);
  });
}

/** Keeps the portal's address in the URL, so that it can be shared and reloaded. */
function remember(frame) {
  const update = () => history.replaceState(null, '', `#${addressIn(frame)}`);
  update();
  frame.contentWindow.addEventListener('hashchange', update);
}

function addressIn({ contentWindow }) {
  const { pathname, hash } = contentWindow.location;
  return pathname + hash;
}

/** Uses the portal's colour mode, which Redoc stores under this name. */
function followColourMode() {
  const mode = localStorage.getItem('redoc.colorMode');
  document.documentElement.style.colorScheme = mode === 'light' || mode === 'dark' ? mode : 'light dark';
}
