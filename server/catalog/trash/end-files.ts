import { sql } from "kysely";
import type { FileRecord, Millis } from "../../domain/records.ts";
import { EXPIRY, type TreeChange } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChangesOf } from "../feed/record-changes.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFilesInPlace } from "../folders/lock-files-in-place.ts";
import { putSetting } from "../keys/settings.ts";
import { fileKey } from "../records/select-records.ts";
import { moveToTrash } from "./trash-files.ts";

/** How long ended files are kept in the trash, in milliseconds: `endFiles` stores it for the other changes. */
const KEEP_SETTING = "endedKeepMs";
/** Until the job has run for the first time. */
const DEFAULT_KEEP_MS = 30 * 86_400_000;

/**
 * Moves those of the files to the trash for `keepMs` that have ended, each with an entry in the change feed. Returns
 * how many. Ids of other files are no error.
 */
export async function endFiles(
  tx: Tx,
  { ids, keepMs }: { readonly ids: readonly string[]; readonly keepMs: number },
): Promise<number> {
  if ((await storedKeepMs(tx)) !== keepMs) await putSetting(tx, KEEP_SETTING, String(keepMs));
  const keys = await lockFilesInPlace(tx, ids);
  const files = await endedAmong(tx, [...keys.keys()]);
  await moveEnded(tx, files, keepMs);
  return files.length;
}

/** Moves files of a locked folder to the trash that have ended, so that their names are free. */
export async function endFilesIn(tx: Tx, folderId: string, ids: readonly string[]): Promise<void> {
  await lockFiles(tx, ids);
  const files = (await endedAmong(tx, ids)).filter((file) => file.folderId === folderId);
  await moveEnded(tx, files, (await storedKeepMs(tx)) ?? DEFAULT_KEEP_MS);
}

type EndedFile = Pick<FileRecord, "id" | "folderId" | "name" | "key" | "size">;

async function endedAmong(tx: Tx, ids: readonly string[]): Promise<EndedFile[]> {
  const ended: EndedFile[] = [];
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select(["files.id", "files.folder_id as folderId", "files.name", "files.size", fileKey])
      .where("files.id", "in", chunk)
      .where("files.expires_at", "<=", tx.now)
      .execute();
    ended.push(...rows);
  }
  return ended;
}

async function moveEnded(tx: Tx, files: readonly EndedFile[], keepMs: Millis): Promise<void> {
  if (files.length === 0) return;
  await moveToTrash({ ...tx, actor: EXPIRY }, files, keepMs);
  const changes = files.map(({ id, key }): TreeChange => ({ kind: "file.deleted", id, key }));
  await recordChangesOf(tx, [{ actor: EXPIRY, changes }]);
}

/** undefined: the job has never run. */
async function storedKeepMs(tx: Tx): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom("settings")
    .select(sql<string>`value`.as("value"))
    .where("name", "=", KEEP_SETTING)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}
