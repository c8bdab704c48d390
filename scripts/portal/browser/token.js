// @ts-check
// The reader's organization token, for the samples of the reference and the requests of the console.

/** Kept until the tab is closed. */
const name = 'portal.token';

/**
 * Reports the token now, and whenever it changes in the page's field for it.
 * @param {(token: string) => void} report receives an empty string if there is none
 */
export function onToken(report) {
  let kept = '';
  try {
    kept = sessionStorage.getItem(name) ?? '';
  } catch {
    // Storage may be switched off; then the token holds for one page only.
  }
  if (kept) report(kept);
  const form = document.querySelector('form.token');
  const field = document.getElementById('token');
  if (!(form instanceof HTMLFormElement && field instanceof HTMLInputElement)) return;
  // Not in the page itself, which would look like a sign-in.
  field.type = 'password';
  field.value = kept;
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => {
    const token = field.value.trim();
    try {
      sessionStorage.setItem(name, token);
    } catch {
      // Then it holds for this page only.
    }
    report(token);
  });
}
