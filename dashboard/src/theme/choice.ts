export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "holdall-theme";

/** The theme stored in this browser; "system" without a choice or without storage. */
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

/** Applies the theme and stores it in this browser. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(PLACE, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls the listener when the theme changes, here or in another tab. Returns the unsubscriber. */
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

/** The theme that is applied now. */
export function appliedTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((each) => each === theme) ?? "system";
}
