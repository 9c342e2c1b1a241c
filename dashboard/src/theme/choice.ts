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
}
