// The theme chosen in the dashboard (dashboard/src/theme/choice.ts), before anything is painted and
// whenever another tab changes it. Without storage or a choice it is the system's.
function follow() {
  let theme = null;
  try {
    theme = localStorage.getItem("holdall-theme");
  } catch {
    // The browser keeps nothing for this site.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

follow();
addEventListener("storage", follow);
