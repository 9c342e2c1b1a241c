import { FIRST_DEFAULTS, parseView, type ViewDefaults } from "./view.ts";

const PLACE = "holdall-files-view";

/** The order and layout last used in this browser. */
export function usualView(): ViewDefaults {
  try {
    const { key, query, ...usual } = parseView(
      "",
      localStorage.getItem(PLACE) ?? "",
      FIRST_DEFAULTS,
    );
    return usual;
  } catch {
    return FIRST_DEFAULTS;
  }
}

export function keepView(query: string): void {
  try {
    localStorage.setItem(PLACE, query);
  } catch {
    // Without storage every visit starts with the initial view.
  }
}
