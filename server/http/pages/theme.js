// Applies the theme chosen in the dashboard (dashboard/src/theme/choice.ts) before the first paint
// and whenever another tab changes it. Without a choice, the system's theme applies.
function applyTheme() {
  let theme = null;
  try {
    theme = localStorage.getItem("holdall-theme");
  } catch {
    // The browser denies access to storage.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

applyTheme();
addEventListener("storage", applyTheme);
