import { regions } from '../../domain/languages.ts';

/** Of a submission that only shows the form again, in another language. */
export const redisplayName = 'redisplay';

/**
 * Optional: every page works without JavaScript. It shows times in the reader's time zone, ignores a second click, keeps
 * what was entered when the language changes, and polls for the progress of a running execution with increasing delays,
 * without reloading the page.
 */
export const script = `
'use strict';
const region = ${JSON.stringify(regions)}[document.documentElement.lang];
const moment = new Intl.DateTimeFormat(region, { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit',
  minute: '2-digit', timeZoneName: 'short' });
const localize = () => {
  for (const time of document.querySelectorAll('time')) time.textContent = moment.format(new Date(time.dateTime));
};
localize();
const localInput = (date) => new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
const inputs = [...document.querySelectorAll('input[type=datetime-local]')].map((shown) => {
  const sent = Object.assign(document.createElement('input'), { type: 'hidden', name: shown.name });
  shown.removeAttribute('name');
  shown.after(sent);
  const { defaultValue, dataset } = shown;
  if (defaultValue && shown.value === defaultValue) shown.value = localInput(new Date(defaultValue + 'Z'));
  const hint = document.getElementById(shown.id + '-hint');
  if (hint) hint.textContent = hint.textContent.replace(dataset.utc, dataset.local + ' (' + moment.resolvedOptions().timeZone + ')');
  const initial = shown.value;
  return () => {
    const changed = shown.value !== initial;
    sent.value = !changed ? defaultValue : shown.value && new Date(shown.value).toISOString().slice(0, 19);
  };
});
addEventListener('submit', (event) => {
  for (const convert of inputs) convert();
  const button = event.target.querySelector('button');
  if (button.getAttribute('aria-disabled')) event.preventDefault();
  button.setAttribute('aria-disabled', 'true');
});
addEventListener('click', (event) => {
  const link = event.target.closest('nav a');
  const form = document.querySelector('main form');
  if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const button = Object.assign(document.createElement('button'), { name: '${redisplayName}', formAction: link.href,
    formNoValidate: true, hidden: true });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
});
addEventListener('pageshow', () => document.querySelector('button')?.removeAttribute('aria-disabled'));
const running = () => document.querySelector('#progress[data-status=RUNNING]');
let delay = 1000;
const poll = async () => {
  if (!running()) return;
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [updated, shown] = [next.querySelector('#progress'), document.querySelector('#progress')];
    if (updated && updated.dataset.status !== shown.dataset.status) {
      shown.replaceChildren(...updated.childNodes);
      shown.dataset.status = updated.dataset.status;
      document.title = next.title;
      localize();
    }
  } catch {}
  delay = Math.min(delay * 1.2, 15000);
  setTimeout(poll, delay);
};
if (running()) setTimeout(poll, delay);
`;
