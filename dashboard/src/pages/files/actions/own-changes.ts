const changes = new Map<string, "running" | "made">();

/** Takes note of what this page moves or deletes, before it is done: the result is announced by itself. */
export function noteOwnChanges(entries: readonly { readonly id: string }[]): void {
  for (const { id } of entries) changes.set(id, "running");
}

/** Ends what `noteOwnChanges` began. `made`: the ids of those that were moved or deleted. */
export function endOwnChanges(
  entries: readonly { readonly id: string }[],
  made: ReadonlySet<string>,
): void {
  for (const { id } of entries) {
    if (made.has(id)) changes.set(id, "made");
    else changes.delete(id);
  }
}

/** Forgets a change that was made: the file is there again, and what happens to it now is another change. */
export function forgetOwnChange(id: string): void {
  if (changes.get(id) === "made") changes.delete(id);
}

/** Whether this page moves or deletes the file, or has done so. */
export const isOwnChange = (id: string): boolean => changes.has(id);
