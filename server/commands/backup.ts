import { resolve } from "node:path";
import { catalogDriver } from "../catalog/drivers.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import { timestamp } from "../domain/timestamp.ts";
import { saveBackupRecord } from "../health/maintenance-records.ts";
import { openCopyFolder } from "../instance/copy-folder.ts";
import { openCopyDestination } from "../instance/open-copy-destination.ts";
import { openInstance } from "../instance/open-instance.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { type BackedUp, backup } from "../transfer/backup.ts";
import type { TransferReport } from "../transfer/progress.ts";
import { runTransfer } from "./run-transfer.ts";

/** `backup PATH`: works with or without a running server. Exit code 1: some files are damaged. */
export async function backupCommand(config: Config, rest: readonly string[]): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`backup` takes the folder for the backup.");
  }
  const result = await runTransfer("Backing up", (report) => backUp(config, resolve(path), report));
  const { copied, existing, damaged, removed } = result;
  const files = copied.files + existing.files;
  const bytes = copied.bytes + existing.bytes;
  console.log(
    [
      ...(files === 0 ? [`The instance in ${config.dataPath} has no files.`] : []),
      `Backed up ${countText(files, "file")} (${bytesText(bytes)}) from ${config.dataPath} to ${resolve(path)} as of ${timestamp(result.asOf)} UTC.`,
      `Copied ${countText(copied.files, "file")} (${bytesText(copied.bytes)}), kept ${existing.files.toLocaleString("en")}, removed ${removed.toLocaleString("en")} of deleted files.`,
      ...(damaged > 0 ? [`Damaged and skipped: ${countText(damaged, "file")}.`] : []),
      ...(config.authSecret === null
        ? []
        : ["AUTH_SECRET is set in the environment: store it with the backup."]),
    ].join("\n"),
  );
}

/** Error: PATH cannot take a backup of this instance. */
async function backUp(config: Config, path: string, report: TransferReport): Promise<BackedUp> {
  const snapshots = catalogDriver(config.catalog).snapshots();
  refuseNested(path, config.dataPath);
  const onTrouble = (message: string): void => report.onProblem("Holdall", message);
  const instance = await openInstance(config, { mode: "inspection", onError: onTrouble });
  try {
    const { catalog, folder } = instance;
    const instanceId = await instance.id();
    const { blobs } = await instance.openBlobs();
    const target = await openTarget(path, instanceId).catch((cause) =>
      announceFailure(catalog, { path, cause }),
    );
    try {
      const done = await backup({
        ledger: catalog,
        from: blobs,
        async takeSnapshot() {
          await snapshots.take(folder, target.draft);
          return snapshots.open(target.draft);
        },
        to: await openCopyDestination(
          target,
          { driver: "disk", settings: {} },
          { instanceId, from: folder, onTrouble },
        ),
        ...report,
      });
      target.finish();
      await noteBackup(catalog, path, done);
      if (done.damaged > 0) await announceDamage(catalog, { path, damaged: done.damaged });
      return done;
    } catch (cause) {
      return await announceFailure(catalog, { path, cause });
    } finally {
      target.release();
    }
  } finally {
    await instance.close();
  }
}

async function openTarget(path: string, instanceId: string) {
  return openCopyFolder(path, "PATH", { work: "backup", backupOf: instanceId });
}

/** Tells webhooks of it, and throws the cause. */
async function announceFailure(
  catalog: Catalog,
  { path, cause }: { readonly path: string; readonly cause: unknown },
): Promise<never> {
  const error = cause instanceof Error ? cause.message : String(cause);
  await announce(catalog, { path, error });
  throw cause;
}

const announceDamage = (
  catalog: Catalog,
  { path, damaged }: { readonly path: string; readonly damaged: number },
): Promise<void> =>
  announce(catalog, {
    path,
    damaged,
    error: `Damaged and skipped: ${countText(damaged, "file")}.`,
  });

/** The command says the same, also if the catalog cannot store this. */
const announce = (catalog: Catalog, data: object): Promise<void> =>
  catalog.queueWebhookEvent({ kind: "backup.failed", data: JSON.stringify(data) }).catch(() => {});

/** Notes the backup for the Health page. It is complete also if the catalog cannot store the note. */
async function noteBackup(catalog: Catalog, path: string, done: BackedUp): Promise<void> {
  const { asOf, copied, existing, damaged } = done;
  await saveBackupRecord(catalog, {
    finishedAt: Date.now(),
    asOf,
    path,
    damaged,
    files: copied.files + existing.files,
    bytes: copied.bytes + existing.bytes,
  }).catch(() => {});
}
