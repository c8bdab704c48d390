// @ts-check
// Sets light or dark before the page is painted: the reader's choice, or else the system's.
(() => {
  // Redoc's own key, so that the choice holds for both.
  const name = 'redoc.colorMode';
  const { classList, dataset } = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  /** @param {string | null} mode */
  const choose = (mode) => {
    if (mode !== 'light' && mode !== 'dark') return;
    // The link to the other environment, which has a storage of its own, passes the choice on.
    dataset['theme'] = mode;
    try {
      localStorage.setItem(name, mode);
    } catch {
      // Storage may be switched off; then the choice holds for this page only.
    }
  };
  const show = () => {
    const dark = (dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
    classList.toggle('dark', dark);
    classList.toggle('light', !dark);
  };
  try {
    choose(localStorage.getItem(name));
  } catch {
    // As above; the system decides.
  }
  const url = new URL(location.href);
  if (url.searchParams.has('theme')) {
    choose(url.searchParams.get('theme'));
    url.searchParams.delete('theme');
    history.replaceState(history.state, '', url);
  }
  show();
  system.addEventListener('change', show);
  document.addEventListener('portal:theme', () => {
    choose(classList.contains('dark') ? 'light' : 'dark');
    show();
  });
})();
