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
  const forms: FolderItem[][] = [];
  const open = new Map<string, { readonly form: FolderItem[]; bytes: number }>();
  for (const item of items) {
    let last = open.get(item.folder);
    if (!last || last.form.length === limits.files || last.bytes + item.size > limits.bytes) {
      last = { form: [], bytes: 0 };
      open.set(item.folder, last);
      forms.push(last.form);
    }
    last.form.push(item);
    last.bytes += item.size;
  }
  return forms;
}
