// @ts-check
// Runs before the page is painted: light or dark, as the reader chose, or else as the system is set.
(() => {
  // Redoc keeps the choice under this name too, so that it is one choice.
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
    // Swagger UI's name for it.
    classList.toggle('dark-mode', dark);
  };
  show();
  system.addEventListener('change', show);
  document.addEventListener('portal:theme', () => {
    chosen = mode() === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(name, chosen);
    } catch {
      // Then it holds for this page.
    }
    show();
  });
})();
