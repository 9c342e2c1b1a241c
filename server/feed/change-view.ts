import type { Key, Visibility } from "../domain/records.ts";
import type { ListedFile, ListedFolder, TreeChange } from "../domain/tree-change.ts";

/** A change as a reader of the feed sees it, which may be limited to a folder. */
export interface ChangeView {
  readonly kind: TreeChange["kind"];
  readonly id: string;
  /** After the change; of something deleted: before it. */
  readonly key: Key;
  /** Before the change, if it differs. */
  readonly fromKey: Key | null;
  /** null: not a file, or deleted. */
  readonly file: ListedFile | null;
  /** null: not a folder, deleted, or the change is one of its key or its content only. */
  readonly folder: ListedFolder | null;
  /** All files inside have it from then on; null: they keep theirs. */
  readonly visibility: Visibility | null;
  /** A folder that came into view with content, which has no entries of its own. */
  readonly hasContent: boolean;
}

/** The change for a reader who sees everything. */
export function viewOf(change: TreeChange): ChangeView {
  if ("file" in change) {
    const { kind, file } = change;
    const fromKey = "fromKey" in change ? change.fromKey : null;
    return { ...NOTHING, kind, id: file.id, key: file.key, fromKey, file };
  }
  if ("folder" in change) {
    const { kind, folder } = change;
    const moved = change.kind === "folder.moved" ? change : NOTHING;
    const { fromKey, visibility } = moved;
    const hasContent = kind === "folder.restored";
    return {
      id: folder.id,
      key: folder.key,
      kind,
      fromKey,
      file: null,
      folder,
      visibility,
      hasContent,
    };
  }
  const { kind, id, key } = change;
  return {
    ...NOTHING,
    kind,
    id,
    key,
    visibility: "visibility" in change ? change.visibility : null,
  };
}

export const NOTHING = {
  fromKey: null,
  file: null,
  folder: null,
  visibility: null,
  hasContent: false,
} as const;
