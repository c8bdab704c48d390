// @ts-check
import { onToken } from './token.js';

// Remembers the language of samples, and fills in the reader's token, on pages of the reference and in guides.

const languageName = 'portal.language';
/** @type {NodeListOf<HTMLInputElement>} */
const languages = document.querySelectorAll('.tabs input[name$="-sample"]');

/** @param {string} language */
function select(language) {
  for (const choice of languages) if (choice.value === language) choice.checked = true;
}
try {
  select(localStorage.getItem(languageName) ?? '');
} catch {
  // Storage may be switched off; then every page begins with the first language.
}
for (const choice of languages) {
  choice.addEventListener('change', () => {
    const before = choice.getBoundingClientRect().top;
    select(choice.value);
    // Samples above have another height now: what the reader chose stays in view.
    scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(languageName, choice.value);
    } catch {
      // Then the choice holds for this page only.
    }
  });
}

/** How samples read the token from the environment, by language. */
const expression = /\$TOKEN\b|process\.env\.TOKEN!?|os\.environ\[["']TOKEN["']\]|os\.Getenv\("TOKEN"\)/g;
const codes = [...document.querySelectorAll('.tabs code')].map((code) => ({ code, markup: code.innerHTML }));

/** @param {string} token */
function fill(token) {
  for (const { code, markup } of codes) {
    code.innerHTML = markup;
    if (!token) continue;
    const found = [...(code.textContent ?? '').matchAll(expression)];
    // From the end, so that earlier positions hold.
    for (const { 0: text, index } of found.reverse()) {
      const range = rangeOf(code, index, index + text.length);
      range.deleteContents();
      range.insertNode(document.createTextNode(text.startsWith('$') ? token : `"${token}"`));
    }
  }
}

/**
 * @param {Element} element
 * @param {number} start in characters of its text
 * @param {number} end
 */
function rangeOf(element, start, end) {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (start >= at && start < at + length) range.setStart(node, start - at);
    if (end > at && end <= at + length) range.setEnd(node, end - at);
    at += length;
  }
  return range;
}

onToken(fill);
