import { sql } from "kysely";
import { joinKey } from "../../domain/names/name.ts";
import { requireRoom } from "../../domain/quotas.ts";
import type { Key } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { trashedPlace } from "../records/outside-tree.ts";
import type { QuotasTable } from "../tables/quotas.ts";
import { countFiles, countInside } from "./count-contents.ts";
import {
  type Amount,
  negative,
  type RecordedUsage,
  type SettledUsage,
  sum,
  type TopFolder,
  topId,
  topOfFolder,
  topOfItem,
} from "./usage.ts";

/** Folders with fewer contents are counted in the change that moves them. */
const COUNTED = 10_000;

/** Lets opening a quota wait for changes that lock no folder, and these for the other. */
export const QUOTAS_LOCK = "quotas";

/**
 * Writes what a change did into the quotas of the folders concerned, and rejects it if one would be exceeded. It is
 * the last step of a change, so that the rows of quotas, which many changes want, are locked for a short time, and
 * no change waits for anything else while it holds one. A change in one folder, such as an upload, takes a single
 * statement, which finds nothing in a folder without a quota. Fault "quota_exceeded".
 */
export async function chargeUsage(tx: Tx, usage: RecordedUsage): Promise<void> {
  const { amounts, ofFiles, movedFiles, movedFolders, forgotten, ended } = usage;
  const changed = [...amounts.values()].filter(({ amount }) => isChange(amount));
  const moves = movedFiles.length + movedFolders.length;
  // Purges lock no folder that their contents count for.
  const isUnlocked =
    ofFiles.size + forgotten.length + ended.length > 0 ||
    usage.isUnknown ||
    changed.some(({ top }) => top !== undefined && "id" in top);
  const [only, ...others] = changed;
  if (!isUnlocked && moves + others.length === 0 && usage.settled === undefined) {
    if (only?.top !== undefined && "name" in only.top) {
      const { top, amount } = only;
      rejectExceeded(await tx.all(chargeByKey, { key: joinKey([top.name]), ...amount }), amount);
    }
    return;
  }
  if (isUnlocked) await tx.lockName(QUOTAS_LOCK);
  // Before the names are looked up: such a folder may be inside of another one with a quota by now.
  for (const id of forgotten) await tx.all(deleteQuota, { id });
  for (const id of ended) await endQuota(tx, id);
  const known = await knownQuotas(tx);
  if (known.size === 0) return;
  if (!isUnlocked) await tx.lockName(QUOTAS_LOCK);
  const settled = usage.settled ?? nothingSettled(known);
  await resolve(tx, usage, known, settled);
  if (usage.isUnknown) await tx.all(askForRecounts, {});
  for (const id of [...settled.recounts].sort()) await tx.all(askForRecount, { id });
  for (const [id, amount] of [...settled.charges].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isChange(amount)) rejectExceeded(await tx.all(chargeById, { id, ...amount }), amount);
  }
}

/** Limits that were set since the folder was moved must not be lost: the next try of the move finds them. */
async function endQuota(tx: Tx, id: string): Promise<void> {
  const limits = await tx.db
    .selectFrom("quotas")
    .select(["max_bytes", "max_files"])
    .where("folder_id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (limits === undefined) return;
  if (limits.max_bytes !== null || limits.max_files !== null) throw new RetryTransaction();
  await tx.all(deleteQuota, { id });
}

/**
 * Finds out what the change has done so far to which quotas, and writes nothing yet. For changes of several parts, of
 * which one may rename or move what another has counted. The tree must be locked, so that no quota is opened meanwhile.
 */
export async function settleUsage(tx: Tx): Promise<void> {
  const { usage } = tx;
  const { amounts, ofFiles, movedFiles, movedFolders } = usage;
  if (amounts.size + ofFiles.size + movedFiles.length + movedFolders.length === 0) return;
  if (usage.settled?.isNeeded !== false) {
    const known = await knownQuotas(tx);
    usage.settled ??= nothingSettled(known);
    await resolve(tx, usage, known, usage.settled);
  }
  usage.clear();
}

const nothingSettled = (known: ReadonlyMap<string, string>): SettledUsage => ({
  charges: new Map(),
  recounts: new Set(),
  isNeeded: known.size > 0,
});

/** Adds what is not settled yet to what is. `known`: the quotas, as they are after it. */
async function resolve(
  tx: Tx,
  { amounts, ofFiles, movedFiles, movedFolders }: RecordedUsage,
  known: ReadonlyMap<string, string>,
  { charges, recounts }: SettledUsage,
): Promise<void> {
  const charge = (top: TopFolder, amount: Amount): void => {
    const id = known.get(topId(top));
    if (id !== undefined) charges.set(id, sum(charges.get(id), amount));
  };
  const recountLater = (top: TopFolder): void => {
    const id = known.get(topId(top));
    if (id !== undefined) recounts.add(id);
  };
  for (const { top, amount } of amounts.values()) charge(top, amount);
  const tops = await topsOfFiles(tx, [...ofFiles.keys()]);
  for (const [id, amount] of ofFiles) charge(tops.get(id), amount);
  for (const { ids, from, to } of movedFiles) {
    if (known.get(topId(from)) === known.get(topId(to))) continue;
    const amount = await countFiles(tx.db, ids);
    charge(from, negative(amount));
    charge(to, amount);
  }
  for (const { id: folderId, from, to, measured } of movedFolders) {
    if (known.get(topId(from)) === known.get(topId(to))) continue;
    const key = await keyOf(tx, folderId);
    const counted = await countInside(tx.db, key, COUNTED);
    if (counted !== undefined) {
      charge(from, negative(counted));
      charge(to, counted);
      continue;
    }
    // A recount does the rest soon; until then, the numbers are rather too large.
    recountLater(from);
    if (!known.has(topId(to))) continue;
    charge(to, measured ?? (await countInside(tx.db, key)) ?? { bytes: 0, files: 0 });
    recountLater(to);
  }
}

const isChange = ({ bytes, files }: Amount): boolean => bytes !== 0 || files !== 0;

/** The ids of folders with a quota, by `topId` of their ids, and of their names if they are in the tree. */
async function knownQuotas(tx: Tx): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const { id, key } of await tx.all(selectQuotas, {})) {
    known.set(topId({ id }), id);
    const top = topOfFolder(key);
    if (trashedPlace(key) === undefined && top !== undefined) known.set(topId(top), id);
  }
  return known;
}

async function keyOf(tx: Tx, id: string): Promise<Key> {
  const folder = tx.db.selectFrom("folders").select("key").where("id", "=", id);
  return (await folder.executeTakeFirstOrThrow()).key;
}

/** The folders that files count for, which are in the tree or in the trash. */
async function topsOfFiles(tx: Tx, ids: readonly string[]): Promise<Map<string, TopFolder>> {
  const tops = new Map<string, TopFolder>();
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select(["files.id", "folders.key"])
      .where("files.id", "in", chunk)
      .execute();
    const subjects = rows.flatMap(({ id, key }) => [id, trashedPlace(key)?.id ?? id]);
    const items = new Map<string, TopFolder>();
    for (const part of chunks(subjects)) {
      const found = await tx.db
        .selectFrom("trash_items")
        .select(["subject_id", "kind", "parent_ids"])
        .where("subject_id", "in", part)
        .execute();
      for (const item of found) items.set(item.subject_id, topOfItem(item));
    }
    for (const { id, key } of rows) {
      const place = trashedPlace(key);
      tops.set(id, place === undefined ? topOfFolder(key) : (items.get(id) ?? items.get(place.id)));
    }
  }
  return tops;
}

type Charged = Pick<QuotasTable, "max_bytes" | "max_files" | "used_bytes" | "used_files">;

/** Fault "quota_exceeded". What adds nothing is allowed above a limit too. */
function rejectExceeded([quota]: readonly Charged[], { bytes, files }: Amount): void {
  if (quota === undefined) return;
  const before = {
    maxBytes: quota.max_bytes,
    maxFiles: quota.max_files,
    usedBytes: quota.used_bytes - bytes,
    usedFiles: quota.used_files - files,
  };
  requireRoom(before, { bytes, files });
}

const returned = ["max_bytes", "max_files", "used_bytes", "used_files"] as const;

interface Charge {
  readonly bytes: number;
  readonly files: number;
}

const chargeByKey = prepared((db, param: Param<Charge & { key: Key }>) =>
  db
    .updateTable("quotas")
    .set({
      used_bytes: sql<number>`used_bytes + ${param("bytes")}`,
      used_files: sql<number>`used_files + ${param("files")}`,
    })
    .where("folder_id", "=", (eb) =>
      eb.selectFrom("folders").select("folders.id").where("folders.key", "=", param("key")),
    )
    .returning(returned),
);

const chargeById = prepared((db, param: Param<Charge & { id: string }>) =>
  db
    .updateTable("quotas")
    .set({
      used_bytes: sql<number>`used_bytes + ${param("bytes")}`,
      used_files: sql<number>`used_files + ${param("files")}`,
    })
    .where("folder_id", "=", param("id"))
    .returning(returned),
);

const selectQuotas = prepared((db, _: Param<Record<never, never>>) =>
  db
    .selectFrom("quotas")
    .innerJoin("folders", "folders.id", "quotas.folder_id")
    .select(["folders.id", "folders.key"]),
);

const deleteQuota = prepared((db, param: Param<{ id: string }>) =>
  db.deleteFrom("quotas").where("folder_id", "=", param("id")),
);

const askForRecount = prepared((db, param: Param<{ id: string }>) =>
  db.updateTable("quotas").set({ counted_at: null }).where("folder_id", "=", param("id")),
);

const askForRecounts = prepared((db, _: Param<Record<never, never>>) =>
  db.updateTable("quotas").set({ counted_at: null }),
);
