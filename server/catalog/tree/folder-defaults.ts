import { Fault } from "../../domain/faults/fault.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import type { FolderRecord, Visibility } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { lockSubtree } from "../folders/folder-locks.ts";
import type { FolderDefaultsOf } from "../folders/insert-folders.ts";
import { selectFolders } from "../records/select-records.ts";

/** The visibility of new files in the folder whose upload sets none. `instance`: where no folder says. */
export const visibilityIn = (
  { inheritedVisibility }: FolderRecord,
  instance: Visibility,
): Visibility => inheritedVisibility ?? instance;

/** The lifetime of new files in the folder whose upload sets none; undefined: no folder says. */
export const lifetimeIn = ({ inheritedExpireAfter }: FolderRecord): Lifetime | undefined =>
  inheritedExpireAfter === null || inheritedExpireAfter === 0
    ? undefined
    : `in ${inheritedExpireAfter}`;

/**
 * Gives the folder defaults of its own; null: it inherits its parent's again. Returns the same record if it has
 * them already. `updatedAt` stays, as nothing that lists and the change feed show changes. The tree must be
 * locked. Fault "invalid": it is the root.
 */
export async function setDefaults(
  tx: Tx,
  folder: FolderRecord,
  wanted: Partial<FolderDefaultsOf>,
): Promise<FolderRecord> {
  const { id, parentId } = folder;
  const { defaultVisibility = folder.defaultVisibility, expireAfter = folder.expireAfter } = wanted;
  if (parentId === null) {
    throw new Fault(
      "invalid",
      "The root folder has the defaults of the instance: change the setting `defaultVisibility` instead, and give `expireAfter` to the folders in it.",
    );
  }
  if (defaultVisibility === folder.defaultVisibility && expireAfter === folder.expireAfter) {
    return folder;
  }
  await lockSubtree(tx, folder.key, []);
  await tx.db
    .updateTable("folders")
    .set({ default_visibility: defaultVisibility, expire_after: expireAfter, implicit: 0 })
    .where("id", "=", id)
    .execute();
  return inherit(tx, { ...folder, defaultVisibility, expireAfter }, parentId);
}

/** Must follow a change of the folder's parent or defaults. It and all below it must be locked. */
export async function inherit(
  tx: Tx,
  folder: FolderRecord,
  parentId: string,
): Promise<FolderRecord> {
  const parent = await selectFolders(tx.db)
    .where("folders.id", "=", parentId)
    .executeTakeFirstOrThrow();
  const inheritedVisibility = folder.defaultVisibility ?? parent.inheritedVisibility;
  const inheritedExpireAfter = folder.expireAfter ?? parent.inheritedExpireAfter;
  if (inheritedVisibility !== folder.inheritedVisibility) {
    await writeToHeirs(tx, folder.id, "default_visibility", {
      inherited_visibility: inheritedVisibility,
    });
  }
  if (inheritedExpireAfter !== folder.inheritedExpireAfter) {
    await writeToHeirs(tx, folder.id, "expire_after", {
      inherited_expire_after: inheritedExpireAfter,
    });
  }
  return { ...folder, inheritedVisibility, inheritedExpireAfter };
}

/** Writes what the folder inherits into it, and into all folders below it that inherit it from there. */
async function writeToHeirs(
  tx: Tx,
  folderId: string,
  own: "default_visibility" | "expire_after",
  inherited:
    | { readonly inherited_visibility: Visibility | null }
    | { readonly inherited_expire_after: number | null },
): Promise<void> {
  await tx.db
    .withRecursive("heirs", (db) =>
      db
        .selectFrom("folders")
        .select("folders.id")
        .where("folders.id", "=", folderId)
        .unionAll(
          db
            .selectFrom("folders")
            .innerJoin("heirs", "heirs.id", "folders.parent_id")
            .select("folders.id")
            .where(`folders.${own}`, "is", null),
        ),
    )
    .updateTable("folders")
    .set(inherited)
    .where("id", "in", (eb) => eb.selectFrom("heirs").select("heirs.id"))
    .execute();
}
