import { existsSync, unlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CatalogSnapshots } from "../catalog/driver.ts";
import { catalogDriver } from "../catalog/drivers.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import { parseKey } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import { makeWritable } from "../fs/make-writable.ts";
import { syncVolume } from "../fs/volume.ts";
import { openInstance } from "../instance/open-instance.ts";
import { isInside, refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { openUnfinished } from "../transfer/export-file.ts";
import { type Exported, exportTree } from "../transfer/export-tree.ts";
import { createManifest, type Manifest } from "../transfer/manifest.ts";
import type { TransferReport } from "../transfer/progress.ts";
import { withBackupHold } from "../transfer/with-backup-hold.ts";
import type { Options } from "./read-arguments.ts";
import { runTransfer } from "./run-transfer.ts";

/**
 * `export PATH [--folder KEY] [--manifest FILE]`: works with or without a running server. Exit code 1:
 * some files were skipped.
 */
export async function exportCommand(
  config: Config,
  rest: readonly string[],
  { folder = "", manifest }: Options,
): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`export` takes the folder to write the files into.");
  }
  const target = {
    path: resolve(path),
    folder: parseKey(folder),
    manifest: manifest === undefined ? undefined : resolve(manifest),
  };
  const result = await runTransfer("Exporting", (report) => exportTo(config, target, report));
  const { written, existing, folders, skipped } = result;
  console.log(
    [
      `Exported ${countText(written.files, "file")} (${bytesText(written.bytes)}) to ${target.path}; kept ${existing.files.toLocaleString("en")}; ${countText(folders, "folder")} in total.`,
      ...(target.manifest === undefined
        ? []
        : [`To check the files, run \`sha256sum -c ${target.manifest}\` in ${target.path}.`]),
      ...(skipped > 0 ? [`Skipped ${skipped.toLocaleString("en")}, see above.`] : []),
    ].join("\n"),
  );
}

interface ExportTarget {
  readonly path: string;
  /** The folder whose content is exported. */
  readonly folder: Key;
  /** The file for the digests, which does not exist. undefined: none. */
  readonly manifest: string | undefined;
}

/** Error: PATH cannot take an export. Fault "not_found": there is no such folder. */
async function exportTo(
  config: Config,
  { path, folder, manifest: manifestPath }: ExportTarget,
  report: TransferReport,
): Promise<Exported> {
  const snapshots = catalogDriver(config.catalog).snapshots();
  refuseNested(path, config.dataPath);
  if (manifestPath !== undefined) requireManifestPlace(manifestPath, path);
  const onError = (message: string): void => report.onProblem("Holdall", message);
  const instance = await openInstance(config, { mode: "inspection", onError });
  try {
    makeWritable(path, "PATH");
    const { blobs } = await instance.openBlobs();
    return await withBackupHold(instance.catalog, async (assertHeld) => {
      const unfinished = await openUnfinished(path);
      const file = join(unfinished, "catalog.sqlite");
      const snapshot = await temporarySnapshot(snapshots, instance.folder, file);
      let manifest: Manifest | undefined;
      try {
        if (manifestPath !== undefined) manifest = await createManifest(manifestPath);
        const to = { folder, path, unfinished, syncVolume, manifest };
        const exported = await exportTree({ snapshot, blobs, ...to, ...report });
        await manifest?.publish();
        if (exported.skipped > 0) await assertHeld();
        return exported;
      } finally {
        await manifest?.close();
        snapshot.close();
      }
    });
  } finally {
    await instance.close();
  }
}

/** Error: the manifest would replace a file, or take the place of an exported one. */
function requireManifestPlace(manifest: string, path: string): void {
  if (isInside(manifest, path)) {
    throw new Error(
      `"${manifest}" is inside "${path}", where an exported file can have the same name: give --manifest a file outside of it.`,
    );
  }
  if (existsSync(manifest)) {
    throw new Error(`"${manifest}" exists: give --manifest a file that does not exist yet.`);
  }
}

/** A snapshot whose open file is already unlinked, so that it never outlives this process. */
async function temporarySnapshot(
  snapshots: CatalogSnapshots,
  folder: DataFolder,
  file: string,
): Promise<Snapshot> {
  await snapshots.take(folder, file);
  const snapshot = await snapshots.open(file);
  unlinkSync(file);
  return snapshot;
}
