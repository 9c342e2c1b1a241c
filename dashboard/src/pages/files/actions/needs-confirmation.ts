import type { QueryClient } from "@tanstack/react-query";
import { type Entry, isFolder } from "../data/entry.ts";
import { cachedFolderSize } from "../data/use-content-size.ts";

/** Folders with more files are moved to the trash only after a dialog has said how many. */
export const MANY_FILES = 100;

/** Whether the entries are folders with many files, or with an unknown number of files. */
export function needsConfirmation(client: QueryClient, entries: readonly Entry[]): boolean {
  let files = 0;
  for (const { id } of entries.filter(isFolder)) {
    files += cachedFolderSize(client, id)?.files ?? Number.POSITIVE_INFINITY;
  }
  return files > MANY_FILES;
}
