import type { FolderItem } from "./folder-items.ts";

export interface FormLimits {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Divides files into requests: files of one folder share one up to the limits. A file that exceeds
 * `bytes` alone gets its own. Keeps the order.
 */
export function planForms(
  items: readonly FolderItem[],
  limits: FormLimits,
): (readonly FolderItem[])[] {
  const byFolder = new Map<string, FolderItem[]>();
  for (const item of items) {
    const group = byFolder.get(item.folder);
    if (group === undefined) byFolder.set(item.folder, [item]);
    else group.push(item);
  }
  return [...byFolder.values()].flatMap((group) => divide(group, limits));
}

function divide(group: readonly FolderItem[], limits: FormLimits): FolderItem[][] {
  const forms: FolderItem[][] = [];
  let form: FolderItem[] = [];
  let bytes = 0;
  for (const item of group) {
    const isFull = form.length === limits.files || bytes + item.size > limits.bytes;
    if (isFull && form.length > 0) {
      forms.push(form);
      form = [];
      bytes = 0;
    }
    form.push(item);
    bytes += item.size;
  }
  if (form.length > 0) forms.push(form);
  return forms;
}
