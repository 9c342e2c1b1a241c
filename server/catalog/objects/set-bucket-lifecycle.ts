import { sql } from "kysely";
import { keyNames } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import {
  DAY_SECONDS,
  firstToEnd,
  type LifecycleRule,
  readLifecycle,
  type StoredLifecycle,
} from "../../semantics/s3/lifecycle.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolders } from "../folders/ensure-folders.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { BucketLifecycleChange } from "../port/objects.ts";
import { areWithin } from "../records/are-within.ts";
import { isWithin, selectFolders } from "../records/select-records.ts";
import { setDefaults } from "../tree/folder-defaults.ts";
import { parseBucketSettings, settingsOfBucket, writeBucketSettings } from "./bucket-settings.ts";

/**
 * Rules that let objects end give their folders a lifetime, and the files that are there already an end that counts
 * from their creation. What the rules before them did is undone, except where somebody has changed it since.
 */
export async function setBucketLifecycle(
  tx: Tx,
  { key, rules, folders }: BucketLifecycleChange,
): Promise<void> {
  const ending = rules.filter(({ isEnabled, days }) => isEnabled && days !== undefined);
  const wanted = ending.map(({ prefix }) => folders[prefix]).filter((each) => each !== undefined);
  // The bucket keeps its key and its settings from here on.
  await lockTree(tx);
  const bucket = await tx.first(settingsOfBucket, { key });
  if (bucket === undefined || !(await areWithin(tx, [bucket.id]))) throw noSuchFolder();
  const { created } = await ensureFolders(tx, key, wanted);
  const { lifecycle, ...settings } = parseBucketSettings(bucket.settings);
  const changes: TreeChange[] = created.map((folder) => ({ kind: "folder.created", folder }));
  const old = lifecycle === undefined ? [] : readLifecycle(lifecycle).applied;
  for (const { id, seconds } of old) changes.push(...(await undo(tx, id, seconds)));
  const applied: { id: string; seconds: number }[] = [];
  // A folder within another one ends no later.
  for (const rule of ending.toSorted((a, b) => a.prefix.length - b.prefix.length)) {
    const { days } = firstToEnd(rules, rule.prefix) ?? {};
    const folder = folders[rule.prefix];
    if (days === undefined || folder === undefined) continue;
    const seconds = days * DAY_SECONDS;
    const { id, change } = await apply(tx, folder, seconds);
    applied.push({ id, seconds });
    changes.push(change);
  }
  await abortSooner(tx, key, rules);
  const stored: StoredLifecycle = { rules, applied };
  const next = rules.length === 0 ? settings : { ...settings, lifecycle: JSON.stringify(stored) };
  await writeBucketSettings(tx, bucket.id, next);
  await recordChanges(tx, changes);
}

async function apply(tx: Tx, key: Key, seconds: number) {
  const folder = await selectFolders(tx.db).where("folders.key", "=", key).executeTakeFirst();
  if (folder === undefined) throw noSuchFolder();
  const { id } = folder;
  await lockSubtree(tx, key, []);
  await setDefaults(tx, folder, { expireAfter: seconds });
  const end = sql<number>`modified_at + ${seconds * 1000}`;
  await tx.db
    .updateTable("files")
    .set({ expires_at: end, updated_at: tx.now })
    .where(({ or, eb }) => or([eb("expires_at", "is", null), eb("expires_at", ">", end)]))
    .where("folder_id", "in", (eb) =>
      eb.selectFrom("folders").select("folders.id").where(isWithin(key)),
    )
    .execute();
  return { id, change: { kind: "folder.updated", id, key, visibility: null } as const };
}

/** Files that have another end got it from somebody else. */
async function undo(tx: Tx, id: string, seconds: number): Promise<TreeChange[]> {
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined) return [];
  const { key } = folder;
  await lockSubtree(tx, key, []);
  if (folder.expireAfter === seconds) await setDefaults(tx, folder, { expireAfter: null });
  await tx.db
    .updateTable("files")
    .set({ expires_at: null, updated_at: tx.now })
    .where("expires_at", "=", sql<number>`modified_at + ${seconds * 1000}`)
    // What has ended stays so: its name may be taken.
    .where("expires_at", ">", tx.now)
    .where("folder_id", "in", (eb) =>
      eb.selectFrom("folders").select("folders.id").where(isWithin(key)),
    )
    .execute();
  return [{ kind: "folder.updated", id, key, visibility: null }];
}

async function abortSooner(tx: Tx, bucket: Key, rules: readonly LifecycleRule[]): Promise<void> {
  for (const { isEnabled, abortDays, prefix } of rules) {
    if (!isEnabled || abortDays === undefined) continue;
    const start = `${keyNames(bucket).join("/")}/${prefix}`;
    const end = sql<number>`created_at + ${abortDays * DAY_SECONDS * 1000}`;
    await tx.db
      .updateTable("multipart_uploads")
      .set({ expires_at: end })
      .where("bucket", "=", bucket)
      .where("state", "<>", "finished")
      .where("expires_at", ">", end)
      .where(sql<boolean>`substr(key, 1, ${[...start].length}) = ${start}`)
      .execute();
  }
}
