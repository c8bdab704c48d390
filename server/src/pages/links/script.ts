/**
 * Optional: every page works without JavaScript. It ignores a second click, and polls for the progress of a running
 * execution with increasing delays, without reloading the page.
 */
export const script = `
'use strict';
addEventListener('submit', (event) => {
  const button = event.target.querySelector('button');
  if (button.getAttribute('aria-disabled')) event.preventDefault();
  button.setAttribute('aria-disabled', 'true');
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
    }
  } catch {}
  delay = Math.min(delay * 1.2, 15000);
  setTimeout(poll, delay);
};
if (running()) setTimeout(poll, delay);
`;
