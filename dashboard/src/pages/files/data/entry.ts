import type { FileObject, FolderObject } from "../../../../../sdk/src/holdall.ts";

/** A folder or a file in the list. */
export type Entry =
  | { readonly kind: "folder"; readonly id: string; readonly folder: FolderObject }
  | { readonly kind: "file"; readonly id: string; readonly file: FileObject };

const entryCache = new WeakMap<FileObject, Entry>();

/** Returns the identical entry for the same file, so that unchanged rows do not re-render. */
export function entryOfFile(file: FileObject): Entry {
  const cached = entryCache.get(file);
  if (cached !== undefined) return cached;
  const entry: Entry = { kind: "file", id: file.id, file };
  entryCache.set(file, entry);
  return entry;
}

export const entryOfFolder = (folder: FolderObject): Entry => ({
  kind: "folder",
  id: folder.id,
  folder,
});

export const nameOf = (entry: Entry): string =>
  entry.kind === "folder" ? entry.folder.name : entry.file.name;

export const isFile = (entry: Entry): entry is Entry & { kind: "file" } => entry.kind === "file";

export const isFolder = (entry: Entry): entry is Entry & { kind: "folder" } =>
  entry.kind === "folder";
