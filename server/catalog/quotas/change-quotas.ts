import { sql } from "kysely";
import type { Ref } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { keyNames } from "../../domain/names/name.ts";
import type { QuotaLimits } from "../../domain/quotas.ts";
import type { Tx } from "../engine/tx.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { QuotaDrift } from "../port/quotas.ts";
import { folderIdOf } from "../records/resolve-refs.ts";
import { selectFolders } from "../records/select-records.ts";
import { QUOTAS_LOCK } from "./charge-usage.ts";
import { recount } from "./count-contents.ts";

export async function openQuota(
  tx: Tx,
  ref: Ref,
): Promise<{ readonly id: string; readonly isCounted: boolean }> {
  await lockTree(tx);
  const id = await folderIdOf(tx, ref);
  const folder =
    id === undefined
      ? undefined
      : await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined) throw noSuchFolder();
  if (keyNames(folder.key).length !== 1) {
    throw new Fault("invalid", "Only a folder directly below the root can have a quota.");
  }
  // Waits for changes in the folder that have not seen the quota.
  await lockSubtree(tx, folder.key, []);
  await tx.lockName(QUOTAS_LOCK);
  const known = await tx.db
    .selectFrom("quotas")
    .select("counted_at")
    .where("folder_id", "=", folder.id)
    .executeTakeFirst();
  if (known !== undefined) return { id: folder.id, isCounted: known.counted_at !== null };
  const counts = { used_bytes: 0, used_files: 0, recounts: 0, counted_at: null };
  await tx.db
    .insertInto("quotas")
    .values({ folder_id: folder.id, max_bytes: null, max_files: null, ...counts })
    .execute();
  return { id: folder.id, isCounted: false };
}

export async function recountQuota(tx: Tx, folderId: string): Promise<QuotaDrift | undefined> {
  const found = await recount(tx.db, folderId);
  if (found === undefined) return undefined;
  const { used, actual, recounts } = found;
  const drift = { bytes: actual.bytes - used.bytes, files: actual.files - used.files };
  // What was added or removed since is in the numbers, and the correction stays right.
  const updated = await tx.db
    .updateTable("quotas")
    .set({
      used_bytes: sql<number>`used_bytes + ${drift.bytes}`,
      used_files: sql<number>`used_files + ${drift.files}`,
      recounts: recounts + 1,
      counted_at: tx.now,
    })
    .where("folder_id", "=", folderId)
    .where("recounts", "=", recounts)
    .executeTakeFirst();
  return updated.numUpdatedRows === 0n ? undefined : { folderId, ...drift };
}

export async function setQuota(
  tx: Tx,
  folderId: string,
  limits: Partial<QuotaLimits>,
): Promise<void> {
  const current = await tx.db
    .selectFrom("quotas")
    .select(["max_bytes as maxBytes", "max_files as maxFiles"])
    .where("folder_id", "=", folderId)
    .forUpdate()
    .executeTakeFirst();
  if (current === undefined) throw noSuchFolder();
  const { maxBytes = current.maxBytes, maxFiles = current.maxFiles } = limits;
  if (maxBytes === null && maxFiles === null) {
    await tx.db.deleteFrom("quotas").where("folder_id", "=", folderId).execute();
    return;
  }
  await tx.db
    .updateTable("quotas")
    .set({ max_bytes: maxBytes, max_files: maxFiles })
    .where("folder_id", "=", folderId)
    .execute();
}
