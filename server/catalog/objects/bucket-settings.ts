import type { Key } from "../../domain/records.ts";
import { lookup, type Param } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { BucketSettingChange, BucketSettings } from "../port/objects.ts";
import { areWithin } from "../records/are-within.ts";
import { isLive } from "../records/outside-tree.ts";

export const settingsOfBucket = lookup((db, param: Param<{ key: Key }>) =>
  db
    .selectFrom("folders")
    .select(["folders.id", "folders.bucket_settings as settings"])
    .where("folders.key", "=", param("key"))
    .where(isLive),
);

export async function setBucketSetting(
  tx: Tx,
  { key, name, value }: BucketSettingChange,
): Promise<void> {
  await lockTree(tx);
  const folder = await tx.first(settingsOfBucket, { key });
  if (folder === undefined || !(await areWithin(tx, [folder.id]))) throw noSuchFolder();
  const { [name]: _, ...others } = parseBucketSettings(folder.settings);
  const settings = value === null ? others : { ...others, [name]: value };
  await writeBucketSettings(tx, folder.id, settings);
}

export async function writeBucketSettings(
  tx: Tx,
  folderId: string,
  settings: BucketSettings,
): Promise<void> {
  const text = Object.keys(settings).length === 0 ? null : JSON.stringify(settings);
  await tx.db
    .updateTable("folders")
    .set({ bucket_settings: text })
    .where("id", "=", folderId)
    .execute();
}

/** The settings in the column, which `setBucketSetting` has written. */
export function parseBucketSettings(text: string | null): BucketSettings {
  const parsed: unknown = text === null ? {} : JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) return {};
  const entries = Object.entries(parsed).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}
