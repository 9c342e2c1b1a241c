import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CLI_LEASE_PREFIX } from "../catalog/port/blob-ledger.ts";
import type { Config } from "../config/config.ts";
import { COMMAND_EVERYWHERE } from "../domain/caller.ts";
import { parseKey } from "../domain/names/name.ts";
import type { Key, Visibility } from "../domain/records.ts";
import { createSigner } from "../domain/signature.ts";
import { parseVisibility } from "../domain/visibility.ts";
import { createFiles, type Files } from "../files/files.ts";
import { openInstance } from "../instance/open-instance.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { type Imported, importTree } from "../transfer/import-tree.ts";
import type { TransferReport } from "../transfer/progress.ts";
import type { Options } from "./read-arguments.ts";
import { runTransfer } from "./run-transfer.ts";

/**
 * `import PATH [--folder KEY] [--visibility V]`: works with or without a running server. Exit code
 * 1: some files were skipped.
 */
export async function importCommand(
  config: Config,
  rest: readonly string[],
  { folder = "", visibility }: Options,
): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`import` takes the folder with the files to import.");
  }
  const request = {
    path: resolve(path),
    folder: parseKey(folder),
    visibility: visibility === undefined ? undefined : parseVisibility(visibility),
  };
  const result = await runTransfer("Importing", (report) => importFrom(config, request, report));
  const { imported, existing, conflicts, skipped } = result;
  console.log(
    [
      `Imported ${countText(imported.files, "file")} (${bytesText(imported.bytes)}); already present ${existing.files.toLocaleString("en")}; ${countText(conflicts, "conflict")}; skipped ${skipped.toLocaleString("en")}.`,
      ...(conflicts > 0 ? ["Existing files were not changed: see the names above."] : []),
    ].join("\n"),
  );
}

interface ImportRequest {
  /** The folder whose content is imported. */
  readonly path: string;
  /** The destination folder. */
  readonly folder: Key;
  readonly visibility: Visibility | undefined;
}

/** The limits on uploads do not apply: these are the administrator's own files. */
const UNLIMITED = {
  maxUploadSize: Number.MAX_SAFE_INTEGER,
  maxFilesPerRequest: Number.MAX_SAFE_INTEGER,
};

/** Error: PATH is not a folder, or the data folder is a backup. */
async function importFrom(
  config: Config,
  request: ImportRequest,
  report: TransferReport,
): Promise<Imported> {
  if (statSync(request.path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`PATH is "${request.path}", but must be a folder.`);
  }
  refuseNested(request.path, config.dataPath);
  const onError = (message: string, cause?: unknown): void =>
    report.onProblem("Holdall", cause === undefined ? message : `${message}: ${String(cause)}`);
  const instance = await openInstance(config, { mode: "import", onError });
  try {
    const { catalog, lostRecords } = instance;
    const { blobs } = await instance.openBlobs();
    const settings = await instance.openSettings();
    const files = createFiles({
      catalog,
      blobs,
      lostRecords,
      owner: `${CLI_LEASE_PREFIX}${crypto.randomUUID()}`,
      signer: createSigner(instance.secret()),
      settings: () => ({ ...settings.current(), ...UNLIMITED }),
      onDamage: () => {},
      onError,
    });
    // No server notifies this process of changed settings, so it reads them before each batch.
    const beginUpload: Files["beginUpload"] = async (caller, expectedBytes) => {
      await settings.refresh();
      return files.beginUpload(caller, expectedBytes);
    };
    try {
      // Removes leftovers of a killed attempt.
      await files.sweep();
      return await importTree({
        files: { ...files, beginUpload },
        names: catalog,
        ...request,
        ...report,
      });
    } catch (error) {
      throw await files.explainNoSpace(COMMAND_EVERYWHERE, error);
    } finally {
      await files.close();
    }
  } finally {
    await instance.close();
  }
}
