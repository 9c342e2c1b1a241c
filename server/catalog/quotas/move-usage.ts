import { Fault } from "../../domain/faults/fault.ts";
import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { type Amount, topOfFolder } from "./usage.ts";

/**
 * Takes note of a folder that is about to move to this key. Fault "conflict": it has a quota, which only a folder directly
 * below the root can have.
 */
export async function moveUsage(
  tx: Tx,
  { id, key: oldKey }: FolderRecord,
  key: Key,
  measured: Amount | undefined,
): Promise<void> {
  const [wasTop, isTop] = [oldKey, key].map((each) => keyNames(each).length === 1);
  if (wasTop && isTop) return;
  if (wasTop) await endQuota(tx, id);
  tx.usage.moveFolder({
    id,
    from: wasTop ? undefined : topOfFolder(oldKey),
    to: isTop ? undefined : topOfFolder(key),
    measured,
  });
}

async function endQuota(tx: Tx, id: string): Promise<void> {
  const quota = await tx.db
    .selectFrom("quotas")
    .select(["max_bytes", "max_files"])
    .where("folder_id", "=", id)
    .executeTakeFirst();
  if (quota === undefined) return;
  if (quota.max_bytes !== null || quota.max_files !== null) {
    throw new Fault(
      "conflict",
      "The folder has a quota, so it cannot move into another folder. Remove the quota first.",
    );
  }
  tx.usage.endQuota(id);
}
