import { readStored, writeStored } from "../../../app/local-storage.ts";
import { INITIAL_VIEW, parseView, type ViewDefaults } from "./view.ts";

const STORAGE_KEY = "holdall-files-view";

/** The order and layout last used in this browser. */
export function storedView(): ViewDefaults {
  const { key, query, filters, scope, ...defaults } = parseView(
    "",
    readStored(STORAGE_KEY) ?? "",
    INITIAL_VIEW,
  );
  return defaults;
}

export const storeView = (query: string): void => writeStored(STORAGE_KEY, query);
