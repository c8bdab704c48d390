// @ts-check
// Sets light or dark before the page is painted: the reader's choice, or else the system's.
(() => {
  // Redoc's own key, so that the choice holds for both.
  const name = 'redoc.colorMode';
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem(name);
  } catch {
    // Storage may be switched off; then the system decides.
  }
  const system = matchMedia('(prefers-color-scheme: dark)');
  const mode = () => (chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light');
  const { classList } = document.documentElement;
  const show = () => {
    const dark = mode() === 'dark';
    classList.toggle('dark', dark);
    classList.toggle('light', !dark);
  };
  show();
  system.addEventListener('change', show);
  document.addEventListener('portal:theme', () => {
    chosen = mode() === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(name, chosen);
    } catch {
      // Then the choice holds for this page only.
    }
    show();
  });
})();
