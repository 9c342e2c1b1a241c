import { z } from "zod";
import type { StoredSettings } from "../catalog/port/credentials.ts";

/*
 * What commands note in the catalog when they are done, for the health of the instance. Instants are in
 * milliseconds since the Unix epoch.
 */

const count = z.int().min(0);

const backupRecord = z.object({
  finishedAt: z.number(),
  asOf: z.number(),
  /** The folder, as of the machine of the command. */
  path: z.string(),
  files: count,
  bytes: count,
  damaged: count,
});

const verificationRecord = z.object({
  finishedAt: z.number(),
  quick: z.boolean(),
  files: count,
  bytes: count,
  missing: count,
  damaged: count,
  foreign: count,
  catalog: count,
  repaired: z.boolean(),
});

export type BackupRecord = z.infer<typeof backupRecord>;
export type VerificationRecord = z.infer<typeof verificationRecord>;

const BACKUP = "last-backup";
const VERIFICATION = "last-verification";

/** undefined: none is known. */
export const readBackupRecord = (settings: StoredSettings): Promise<BackupRecord | undefined> =>
  read(settings, BACKUP, backupRecord);

export const saveBackupRecord = (settings: StoredSettings, record: BackupRecord): Promise<void> =>
  settings.putSetting(BACKUP, JSON.stringify(record));

/** undefined: none is known. */
export const readVerificationRecord = (
  settings: StoredSettings,
): Promise<VerificationRecord | undefined> => read(settings, VERIFICATION, verificationRecord);

/** A quick verify reads no contents, so it does not replace a full one whose problems may still be there. */
export async function noteVerification(
  settings: StoredSettings,
  record: VerificationRecord,
): Promise<void> {
  const last = await readVerificationRecord(settings);
  if (record.quick && last?.quick === false && hasProblems(last, record.repaired)) return;
  await settings.putSetting(VERIFICATION, JSON.stringify(record));
}

/** A repair, then or since, has dealt with files without content and with content without a file. */
function hasProblems(
  { missing, damaged, foreign, catalog, repaired }: VerificationRecord,
  repairedSince: boolean,
): boolean {
  const unmended = repaired || repairedSince ? 0 : missing + foreign;
  return damaged + catalog + unmended > 0;
}

/** undefined also if another version has written what this one cannot read. */
async function read<T>(
  settings: StoredSettings,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const text = await settings.setting(name);
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
