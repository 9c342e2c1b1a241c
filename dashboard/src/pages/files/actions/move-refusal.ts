import type { Entry } from "../data/entry.ts";

interface Target {
  readonly id: string;
  readonly key: string;
}

/** Why entries cannot be moved to a folder; undefined: they can. */
export function moveRefusal(entries: readonly Entry[], target: Target): string | undefined {
  if (entries.some((entry) => isOrContains(entry, target))) {
    return "You can't move a folder into itself.";
  }
  const here = entries.filter((entry) => parentIdOf(entry) === target.id).length;
  if (here === 0) return undefined;
  if (here < entries.length) return "Some of them are already here.";
  return entries.length === 1 ? "It's already here." : "They're already here.";
}

const isOrContains = (entry: Entry, { id, key }: Target): boolean =>
  entry.kind === "folder" && (entry.id === id || `${key}/`.startsWith(`${entry.folder.key}/`));

const parentIdOf = (entry: Entry): string | null =>
  entry.kind === "file" ? entry.file.folderId : entry.folder.parentId;
