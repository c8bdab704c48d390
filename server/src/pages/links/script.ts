/**
 * What JavaScript adds where there is any; everything works without it. A second click does nothing, and a
 * page that shows something running looks again without being loaded anew, less and less often.
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
let pause = 1000;
const look = async () => {
  if (!running()) return;
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [there, here] = [next.querySelector('#progress'), document.querySelector('#progress')];
    if (there && there.dataset.status !== here.dataset.status) {
      here.replaceChildren(...there.childNodes);
      here.dataset.status = there.dataset.status;
      document.title = next.title;
    }
  } catch {}
  pause = Math.min(pause * 1.2, 15000);
  setTimeout(look, pause);
};
if (running()) setTimeout(look, pause);
`;
