import { resolve } from "node:path";
import { catalogDriver } from "../catalog/drivers.ts";
import type { Config } from "../config/config.ts";
import { copyCatalogToDraft, openCopyFolder } from "../instance/copy-folder.ts";
import { openBackup } from "../instance/open-backup.ts";
import { openCopyDestination } from "../instance/open-copy-destination.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import type { Copied } from "../transfer/copy-blobs.ts";
import type { TransferReport } from "../transfer/progress.ts";
import { restore } from "../transfer/restore.ts";
import { runTransfer } from "./run-transfer.ts";

/** `restore PATH`: fills an empty data folder. Exit code 1: some files in the backup are damaged. */
export async function restoreCommand(config: Config, rest: readonly string[]): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`restore` takes the folder with the backup.");
  }
  const result = await runTransfer("Restoring", (report) =>
    restoreFrom(config, resolve(path), report),
  );
  const { copied, existing, damaged } = result;
  const files = copied.files + existing.files;
  const bytes = copied.bytes + existing.bytes;
  console.log(
    [
      `Restored ${countText(files, "file")} (${bytesText(bytes)}) into ${config.dataPath}.`,
      ...(existing.files > 0
        ? [
            `An earlier attempt had already restored ${existing.files.toLocaleString("en")} of them.`,
          ]
        : []),
      ...(damaged > 0 ? [`Damaged in the backup and skipped: ${countText(damaged, "file")}.`] : []),
    ].join("\n"),
  );
}

/** Error: PATH is not a complete backup, or the data folder or the store is not empty. */
async function restoreFrom(config: Config, path: string, report: TransferReport): Promise<Copied> {
  const snapshots = catalogDriver(config.catalog).snapshots();
  refuseNested(path, config.dataPath);
  const onTrouble = (message: string): void => report.onProblem("Holdall", message);
  const source = await openBackup(path);
  try {
    const { instanceId, blobs, folder } = source;
    const purpose = { work: "restore", backupOf: instanceId } as const;
    const target = openCopyFolder(config.dataPath, "DATA_PATH", purpose);
    try {
      await copyCatalogToDraft(folder, target);
      const snapshot = await snapshots.open(target.draft);
      try {
        return await restore({
          snapshot,
          from: blobs,
          to: await openCopyDestination(target, config.blobs, {
            instanceId,
            from: folder,
            onTrouble,
          }),
          ...report,
        });
      } finally {
        snapshot.close();
      }
    } finally {
      target.release();
    }
  } finally {
    source.release();
  }
}
