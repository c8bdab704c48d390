// @ts-check
// The reader's organization token. It is kept until the tab is closed, and read by the reference and the console.

const name = 'portal.token';

/** The token, or an empty string. */
export function readToken() {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    // Storage may be switched off; then the token holds for one page only.
    return '';
  }
}

/** @param {string} token empty to forget it */
export function writeToken(token) {
  try {
    if (token) sessionStorage.setItem(name, token);
    else sessionStorage.removeItem(name);
  } catch {
    // Then it holds for this page only.
  }
}
