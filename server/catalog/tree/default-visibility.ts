import { Fault } from "../../domain/fault.ts";
import type { FolderRecord, Visibility } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { lockSubtree } from "../folders/folder-locks.ts";
import { selectFolders } from "../records/select-records.ts";

/** The visibility of new files in the folder whose upload sets none. `instance`: where no folder says. */
export const visibilityIn = (
  { inheritedVisibility }: FolderRecord,
  instance: Visibility,
): Visibility => inheritedVisibility ?? instance;

/**
 * Gives the folder a default of its own; null: it inherits its parent's again. Returns the same record if it has
 * it already. `updatedAt` stays, as nothing that lists and the change feed show changes. The tree must be
 * locked. Fault "invalid": it is the root.
 */
export async function setDefaultVisibility(
  tx: Tx,
  folder: FolderRecord,
  defaultVisibility: Visibility | null,
): Promise<FolderRecord> {
  const { id, parentId } = folder;
  if (parentId === null) {
    throw new Fault(
      "invalid",
      "The root folder has the default visibility of the instance: change the setting `defaultVisibility` instead.",
    );
  }
  if (defaultVisibility === folder.defaultVisibility) return folder;
  await lockSubtree(tx, folder.key, []);
  await tx.db
    .updateTable("folders")
    .set({ default_visibility: defaultVisibility, implicit: 0 })
    .where("id", "=", id)
    .execute();
  return inherit(tx, { ...folder, defaultVisibility }, parentId);
}

/** Must follow a change of the folder's parent or default. It and all below it must be locked. */
export async function inherit(
  tx: Tx,
  folder: FolderRecord,
  parentId: string,
): Promise<FolderRecord> {
  const inheritedVisibility =
    folder.defaultVisibility ?? (await inheritedIn(tx, parentId)).inheritedVisibility;
  if (inheritedVisibility === folder.inheritedVisibility) return folder;
  await tx.db
    .withRecursive("heirs", (db) =>
      db
        .selectFrom("folders")
        .select("folders.id")
        .where("folders.id", "=", folder.id)
        .unionAll(
          db
            .selectFrom("folders")
            .innerJoin("heirs", "heirs.id", "folders.parent_id")
            .select("folders.id")
            .where("folders.default_visibility", "is", null),
        ),
    )
    .updateTable("folders")
    .set({ inherited_visibility: inheritedVisibility })
    .where("id", "in", (eb) => eb.selectFrom("heirs").select("heirs.id"))
    .execute();
  return { ...folder, inheritedVisibility };
}

const inheritedIn = (tx: Tx, parentId: string): Promise<FolderRecord> =>
  selectFolders(tx.db).where("folders.id", "=", parentId).executeTakeFirstOrThrow();
