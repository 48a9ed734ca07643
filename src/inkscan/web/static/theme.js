// Sets light or dark before anything is drawn; without a choice the page follows the system.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = localStorage.getItem('inkscan-theme');
    document.documentElement.dataset.theme = chosen ?? (dark.matches ? 'dark' : 'light');
    dispatchEvent(new Event('inkscan-theme'));
  };
  dark.addEventListener('change', apply);
  globalThis.inkscanToggleTheme = () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    if (next === (dark.matches ? 'dark' : 'light')) localStorage.removeItem('inkscan-theme');
    else localStorage.setItem('inkscan-theme', next);
    apply();
  };
  apply();
})();
