import { FIRST_DEFAULTS, parseView, type ViewDefaults } from "./view.ts";

const PLACE = "holdall-files-view";

/** The order and layout that were chosen last in this browser. */
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
    // Without storage every visit begins with the first defaults.
  }
}
