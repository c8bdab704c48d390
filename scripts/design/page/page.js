import { groupsOf, saveText, verdictOf } from '/design/answer.js';

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

/** The frame that is seen, and the version of the portal in it. */
let shown;
let shownVersion = 0;
/** Opened or closed by hand: then it stays so, until the next save that is broken. */
let opened;

follow();
addEventListener('storage', follow);

const events = new EventSource('/design/events');
events.onmessage = ({ data }) => {
  const { answer, portal: version, mock: url } = JSON.parse(data);
  if (url) name(url);
  if (answer) show(answer);
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

function show(answer) {
  const { kind, text } = verdictOf(answer);
  document.documentElement.dataset.verdict = kind;
  document.title =
    kind === 'broken' ? `✗ ${text.split(':')[0]}` : kind === 'attention' ? '! Design' : 'Design';
  if (verdict.textContent !== text) verdict.textContent = text;
  save.textContent = saveText(answer);
  if (answer.portal?.fault && !shown)
    find('waiting').textContent = 'The portal could not be built; see Details.';
  const groups = groupsOf(answer);
  panel.replaceChildren(...groups.flatMap(sectionOf));
  toggle.hidden = groups.length === 0;
  if (kind === 'broken') opened = undefined;
  open(groups.length > 0 && (opened ?? kind === 'broken'));
}

function name(url) {
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
    ...items.map(({ place, rule, text, mend }) => {
      const item = element('li');
      const head = element('p');
      if (place) head.append(element('span', place, 'place'));
      if (rule) head.append(element('span', rule, 'rule'));
      item.append(head, written(text));
      if (mend) item.append(written(mend, 'mend'));
      return item;
    }),
  );
  return [element('h2', title), list];
}

/** A paragraph in which what stands between backticks is code. */
function written(text, className = '') {
  const paragraph = element('p', '', className);
  paragraph.append(...text.split('`').map((part, index) => (index % 2 === 1 ? element('code', part) : part)));
  return paragraph;
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Loads the new portal behind the one that is seen, and shows it once it is drawn: nothing flickers. */
function load(version) {
  shownVersion = version;
  const frame = element('iframe', '', 'next');
  frame.title = 'Portal';
  frame.src = shown ? addressIn(shown) : asked();
  for (const waiting of portal.querySelectorAll('iframe.next, .waiting')) waiting.remove();
  portal.append(frame);
  frame.onload = async () => {
    await drawn(frame);
    if (frame !== portal.lastElementChild) return;
    frame.contentWindow.scrollTo(0, shown?.contentWindow.scrollY ?? frame.contentWindow.scrollY);
    frame.classList.remove('next');
    shown?.remove();
    shown = frame;
    // Every later load is a reader's way to another page.
    frame.onload = () => remember(frame);
    remember(frame);
    const openFor = Math.round(performance.now());
    await fetch(`/design/shown?version=${version}&openFor=${openFor}`, { method: 'POST' });
  };
}

/** The page of the portal that our address names. Only that: an address may come from anybody. */
function asked() {
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

/** Keeps the portal's address in ours, so that it can be sent to others and loaded again. */
function remember(frame) {
  const write = () => history.replaceState(null, '', `#${addressIn(frame)}`);
  write();
  frame.contentWindow.addEventListener('hashchange', write);
}

function addressIn({ contentWindow }) {
  const { pathname, hash } = contentWindow.location;
  return pathname + hash;
}

/** Light or dark as the portal is, which keeps what its reader chose under this name. */
function follow() {
  const mode = localStorage.getItem('redoc.colorMode');
  document.documentElement.style.colorScheme = mode === 'light' || mode === 'dark' ? mode : 'light dark';
}
