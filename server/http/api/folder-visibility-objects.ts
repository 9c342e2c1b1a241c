import type {
  FolderDefault,
  FolderVisibility as FolderVisibilityObject,
} from "../../../contract/types/folders.ts";
import type { FolderRecord } from "../../domain/records.ts";
import type { FolderVisibility } from "../../files/folder-visibility.ts";

/* The default visibility of folders as API objects. Folder objects have only the contract's fields. */

export function folderVisibilityObject({
  folder,
  effectiveVisibility,
  inheritedFrom,
}: FolderVisibility): FolderVisibilityObject {
  const { id, key, defaultVisibility } = folder;
  return {
    id,
    key,
    defaultVisibility,
    effectiveVisibility,
    inheritedFrom:
      inheritedFrom === undefined ? null : { id: inheritedFrom.id, key: inheritedFrom.key },
  };
}

export function folderDefaultObject({ id, key, defaultVisibility }: FolderRecord): FolderDefault {
  if (defaultVisibility === null) throw new Error("A folder without a default was listed.");
  return { id, key, defaultVisibility };
}
