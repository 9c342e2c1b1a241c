import { parseName } from "../../domain/names/name.ts";
import type { Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import { insertFolders } from "../folders/insert-folders.ts";
import { trashKey } from "../records/outside-tree.ts";

/*
 * Files in the trash are in hidden folders: one for a deletion, and further ones if it takes several
 * files of the same name.
 */

const NAME = parseName("trash");

/** Moves locked files to new hidden folders. */
export async function hideFiles(
  tx: Tx,
  files: readonly { readonly id: string; readonly name: Name }[],
): Promise<void> {
  const folders: string[][] = [];
  const seen = new Map<Name, number>();
  for (const { id, name } of files) {
    const index = seen.get(name) ?? 0;
    seen.set(name, index + 1);
    const folder = folders[index];
    if (folder === undefined) folders.push([id]);
    else folder.push(id);
  }
  const hidden = folders.map((ids) => ({ id: newId(tx.now), ids }));
  await insertFolders(
    tx,
    hidden.map(({ id }) => ({
      id,
      parentId: null,
      name: NAME,
      key: trashKey(id),
      createdAt: tx.now,
      updatedAt: tx.now,
      defaultVisibility: null,
      inheritedVisibility: null,
      expireAfter: null,
      inheritedExpireAfter: null,
    })),
  );
  for (const { id, ids } of hidden) {
    for (const chunk of chunks(ids)) {
      // Files in the trash do not end, and are kept once they are restored.
      const place = { folder_id: id, expires_at: null };
      await tx.db.updateTable("files").set(place).where("id", "in", chunk).execute();
    }
  }
}

/** Deletes those of the hidden folders that are empty. */
export async function deleteHiddenFolders(tx: Tx, ids: Iterable<string>): Promise<void> {
  for (const chunk of chunks([...new Set(ids)].sort())) {
    await tx.db
      .deleteFrom("folders")
      .where("id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("files").select("files.id").whereRef("files.folder_id", "=", "folders.id"),
          ),
        ),
      )
      .execute();
  }
}
