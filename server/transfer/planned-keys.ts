import { splitKey } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";

/** Finds the names that a source has twice, without storing anything. */
export interface PlannedKeys {
  /** Returns why the file cannot be stored besides what was added before; undefined: it can. */
  addFile(key: Key): string | undefined;
  /** Same for a folder, which may be added again. */
  addFolder(key: Key): string | undefined;
}

export function createPlannedKeys(): PlannedKeys {
  const files = new Set<Key>();
  const folders = new Set<Key>();

  /** The folder and those above it. */
  function addFolder(key: Key): string | undefined {
    if (files.has(key)) return `its folder "${key}" has the name of a file of the source`;
    const place = folders.has(key) ? undefined : splitKey(key);
    const problem = place === undefined ? undefined : addFolder(place.folder);
    if (problem === undefined) folders.add(key);
    return problem;
  }

  return {
    addFile(key) {
      if (files.has(key)) return "another file of the source has this name here";
      if (folders.has(key)) return "a folder of the source has this name";
      const place = splitKey(key);
      const problem = place === undefined ? undefined : addFolder(place.folder);
      if (problem === undefined) files.add(key);
      return problem;
    },
    addFolder,
  };
}
