/** An id, or an object with an id or a key. */
export type FileSelector = string | { readonly id: string } | { readonly key: string };

/** The query parameters that select the file. */
export function fileQuery(file: FileSelector) {
  if (typeof file === "string") return { id: file };
  return "id" in file ? { id: file.id } : { key: file.key };
}
