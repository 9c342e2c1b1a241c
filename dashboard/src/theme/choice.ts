export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "holdall-theme";

/** What this browser was told last; "system" where it was told nothing or keeps nothing. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(PLACE);
    return THEMES.find((theme) => theme === kept) ?? "system";
  } catch {
    return "system";
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Applies the theme and keeps it in this browser. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(PLACE, theme);
  } catch {
    // Without storage it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls the listener when another theme is applied, here or in another tab. Returns the way out. */
export function onThemeChange(listener: () => void): () => void {
  const follow = () => {
    applyTheme(chosenTheme());
    listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", follow);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", follow);
  };
}

/** The theme that holds now. */
export function appliedTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((each) => each === theme) ?? "system";
}
