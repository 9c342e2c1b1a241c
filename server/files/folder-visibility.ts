import type { FileTree } from "../catalog/port/file-tree.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import type { FolderRecord, Visibility } from "../domain/records.ts";
import { type FolderSelector, findFolder } from "./find.ts";

/** What new files of a folder have if their upload names no visibility, and why. */
export interface FolderVisibility {
  readonly folder: FolderRecord;
  readonly effectiveVisibility: Visibility;
  /**
   * The folder above from which it is inherited; undefined: the folder has a default of its own, or it
   * comes from the instance or a folder that the caller may not see.
   */
  readonly inheritedFrom: FolderRecord | undefined;
  /** The direct subfolders with a default of their own, at most 1,000. */
  readonly subfolders: readonly FolderRecord[];
}

/** Fault "not_found": there is no such folder. `instance`: what applies where no folder says. */
export async function findFolderVisibility(
  caller: SeenBy,
  tree: FileTree,
  selector: FolderSelector,
  instance: Visibility,
): Promise<FolderVisibility> {
  const folder = await findFolder(caller, tree, selector);
  const { origin, subfolders } = await tree.folderDefaults(caller, folder);
  return {
    folder,
    effectiveVisibility: folder.inheritedVisibility ?? instance,
    inheritedFrom: origin?.id === folder.id ? undefined : origin,
    subfolders,
  };
}
