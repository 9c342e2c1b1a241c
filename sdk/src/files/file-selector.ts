/** An id, or an object with an id or a key. */
export type FileSelector = string | { readonly id: string } | { readonly key: string };

/** Selects a folder by its id or its key. */
export type FolderSelector = { readonly id: string } | { readonly key: string };

/** The query parameters that select the file, or a folder. */
export function fileQuery(file: FileSelector): { readonly id?: string; readonly key?: string } {
  if (typeof file === "string") return { id: file };
  return "id" in file ? { id: file.id } : { key: file.key };
}

export const isList = (
  files: FileSelector | readonly FileSelector[],
): files is readonly FileSelector[] => Array.isArray(files);

/** The fields that select files. TypeError: some are given by their ids, and some by their keys. */
export function filesQuery(files: readonly FileSelector[]): {
  readonly ids?: string[];
  readonly keys?: string[];
} {
  const given = files.map(fileQuery);
  const ids = given.flatMap(({ id }) => id ?? []);
  const keys = given.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) return { ids };
  if (ids.length === 0) return { keys };
  throw new TypeError("Give ids or keys.");
}

/** One file or several, as a body has them. */
export const anyQuery = (files: FileSelector | readonly FileSelector[]) =>
  isList(files) ? filesQuery(files) : fileQuery(files);
