import { INITIAL_VIEW, parseView, type ViewDefaults } from "./view.ts";

const STORAGE_KEY = "holdall-files-view";

/** The order and layout last used in this browser. */
export function storedView(): ViewDefaults {
  try {
    const { key, query, ...defaults } = parseView(
      "",
      localStorage.getItem(STORAGE_KEY) ?? "",
      INITIAL_VIEW,
    );
    return defaults;
  } catch {
    return INITIAL_VIEW;
  }
}

export function storeView(query: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, query);
  } catch {
    // Without storage every visit starts with the initial view.
  }
}
