import { Fault } from "../../domain/faults/fault.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { type BucketPolicy, readBucketPolicy } from "../../semantics/s3/stored-policy.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { BucketPolicyChange } from "../port/objects.ts";
import { areWithin } from "../records/are-within.ts";
import { isBelow, isWithin, selectFiles, selectFolders } from "../records/select-records.ts";
import { setVisibility } from "../tree/change-folder.ts";
import { setDefaults } from "../tree/folder-defaults.ts";
import { parseBucketSettings, settingsOfBucket, writeBucketSettings } from "./bucket-settings.ts";

/**
 * A policy that lets everyone read makes the files of its folder public, and new ones by default. Without it,
 * the folder has its former default, and all files are private but those that were public before.
 */
export async function setBucketPolicy(tx: Tx, { key, policy }: BucketPolicyChange): Promise<void> {
  await lockTree(tx);
  const bucket = await tx.first(settingsOfBucket, { key });
  if (bucket === undefined || !(await areWithin(tx, [bucket.id]))) throw noSuchFolder();
  const { policy: text, ...settings } = parseBucketSettings(bucket.settings);
  const old = text === undefined ? undefined : readBucketPolicy(text);
  const folder = policy?.folder === undefined ? undefined : await openedFolder(tx, policy.folder);
  const stays = folder !== undefined && old?.opened?.id === folder.id;
  const changes: TreeChange[] = [];
  if (old?.opened !== undefined && !stays) changes.push(...(await close(tx, old.opened)));
  if (folder !== undefined) {
    // Closing another folder may have changed this one, so it is read again.
    const current = await folderById(tx, folder.id);
    if (current === undefined) throw noSuchFolder();
    changes.push(...(await open(tx, current, stays)));
    const former = stays ? old?.opened?.former : current.defaultVisibility;
    await write({ id: folder.id, former: former ?? null });
  } else await write(undefined);
  await recordChanges(tx, changes);

  async function write(opened: BucketPolicy["opened"]): Promise<void> {
    const value = policy && {
      document: policy.document,
      bucket: key,
      lists: policy.lists,
      locates: policy.locates,
      ...(opened === undefined ? {} : { opened }),
    };
    const next = value === null ? settings : { ...settings, policy: JSON.stringify(value) };
    await writeBucketSettings(tx, bucket?.id ?? "", next);
  }
}

/**
 * Returns the folder that the policy opens. Faults: "unprocessable": it does not exist; "forbidden": somebody has
 * made a folder in it private by default.
 */
async function openedFolder(tx: Tx, key: Key): Promise<FolderRecord> {
  const folder = await selectFolders(tx.db).where("folders.key", "=", key).executeTakeFirst();
  if (folder === undefined) throw noFolder();
  const closed = await selectFolders(tx.db)
    .where(isBelow(key))
    .where("folders.default_visibility", "=", "private")
    .limit(1)
    .executeTakeFirst();
  if (closed === undefined) return folder;
  throw new Fault(
    "forbidden",
    `The folder ${closed.key} has the default visibility private, so a policy does not open what it is in.`,
  );
}

const noFolder = (): Fault =>
  new Fault("unprocessable", "A policy can open only a folder that exists: store an object first.");

const folderById = (tx: Tx, id: string): Promise<FolderRecord | undefined> =>
  selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();

/** `isOpen`: the marks of the policy that has opened it stay. */
async function open(tx: Tx, folder: FolderRecord, isOpen: boolean): Promise<TreeChange[]> {
  const { id, key } = folder;
  await lockSubtree(tx, key, []);
  if (!isOpen) {
    await clearMarks(tx, key);
    await tx.db
      .updateTable("files")
      .set({ kept_public: 1 })
      .where("visibility", "=", "public")
      .where("folder_id", "in", (eb) =>
        eb.selectFrom("folders").select("folders.id").where(isWithin(key)),
      )
      .execute();
  }
  await setDefaults(tx, folder, { defaultVisibility: "public" });
  await setVisibility(tx, { id, key }, "public");
  return [{ kind: "folder.updated", id, key, visibility: "public" }];
}

/** Files that were moved away meanwhile keep their visibility, as they do in every move. */
async function close(
  tx: Tx,
  { id, former }: NonNullable<BucketPolicy["opened"]>,
): Promise<TreeChange[]> {
  const folder = await folderById(tx, id);
  if (folder === undefined) return [];
  const { key } = folder;
  await lockSubtree(tx, key, []);
  if (folder.defaultVisibility === "public")
    await setDefaults(tx, folder, { defaultVisibility: former });
  const kept = await selectFiles(tx.db)
    .where(isWithin(key))
    .where("files.kept_public", "=", 1)
    .where("files.visibility", "=", "public")
    .execute();
  await setVisibility(tx, { id, key }, "private", "unmarked");
  await clearMarks(tx, key);
  return [
    { kind: "folder.updated", id, key, visibility: "private" },
    ...kept.map((file): TreeChange => ({ kind: "file.updated", file })),
  ];
}

async function clearMarks(tx: Tx, key: Key): Promise<void> {
  await tx.db
    .updateTable("files")
    .set({ kept_public: null })
    .where("kept_public", "is not", null)
    .where("folder_id", "in", (eb) =>
      eb.selectFrom("folders").select("folders.id").where(isWithin(key)),
    )
    .execute();
}
