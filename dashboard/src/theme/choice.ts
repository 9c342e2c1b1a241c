import { readStored, writeStored } from "../app/local-storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = "holdall-theme";

/** The theme stored in this browser; "system" without a choice or without storage. */
export function storedTheme(): Theme {
  const stored = readStored(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Applies the theme and stores it in this browser. */
export function setTheme(theme: Theme): void {
  applyTheme(theme);
  writeStored(STORAGE_KEY, theme);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls the listener when the theme changes, here or in another tab. Returns the unsubscriber. */
export function onThemeChange(listener: () => void): () => void {
  const handleStorage = () => {
    applyTheme(storedTheme());
    listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", handleStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", handleStorage);
  };
}

/** The theme that is applied now. */
export function appliedTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((each) => each === theme) ?? "system";
}
