// Loaded before anything is drawn, so that a chosen theme does not flash in. No module: those run late.
{
  const themes = ['auto', 'light', 'dark'];

  const chosen = () => {
    try {
      const kept = localStorage.getItem('theme');
      return themes.includes(kept) ? kept : 'auto';
    } catch {
      return 'auto';
    }
  };

  const show = theme => {
    document.documentElement.dataset.theme = theme;
    const button = document.getElementById('theme');
    if (button) {
      button.textContent = `Theme: ${theme}`;
    }
  };

  show(chosen());
  document.addEventListener('DOMContentLoaded', () => {
    show(chosen());
    document.getElementById('theme').addEventListener('click', () => {
      const now = document.documentElement.dataset.theme;
      const next = themes[(themes.indexOf(now) + 1) % themes.length];
      try {
        localStorage.setItem('theme', next);
      } catch {
        // A browser that keeps nothing shows it until the page is left.
      }
      show(next);
    });
  });
}
