const ids = new Set<string>();

/** Takes note of what this page moves or deletes, before it is done: the result is announced by itself. */
export function noteOwnChanges(entries: readonly { readonly id: string }[]): void {
  for (const { id } of entries) ids.add(id);
}

/** Forgets changes that were not made, or that are long past. */
export function forgetOwnChanges(entries: readonly { readonly id: string }[]): void {
  for (const { id } of entries) ids.delete(id);
}

/** Whether this page moves the file, or has moved or deleted it. */
export const isOwnChange = (id: string): boolean => ids.has(id);
