// @ts-check
// Remembers the language of samples, on pages of the reference and in guides.

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
