import type { FileObject, FolderObject } from "../../../../../sdk/src/holdall.ts";

/** A folder or a file, as a line of the list. */
export type Entry =
  | { readonly kind: "folder"; readonly id: string; readonly folder: FolderObject }
  | { readonly kind: "file"; readonly id: string; readonly file: FileObject };

export const entryOfFile = (file: FileObject): Entry => ({ kind: "file", id: file.id, file });

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
