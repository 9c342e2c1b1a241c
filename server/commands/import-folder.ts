import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { parseKey } from "../domain/names/name.ts";
import type { Key, Visibility } from "../domain/records.ts";
import { parseVisibility } from "../domain/visibility.ts";
import type { Files } from "../files/files.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { type Imported, importTree } from "../transfer/import-tree.ts";
import type { TransferReport } from "../transfer/progress.ts";
import type { Options } from "./read-arguments.ts";
import { runTransfer } from "./run-transfer.ts";
import { withImport } from "./with-import.ts";

/** Options that only the import of a bucket takes. */
const OF_BUCKETS = ["endpoint", "region", "dry-run", "from-supabase"] as const;

/**
 * `import PATH [--folder KEY] [--visibility V]`: works with or without a running server. Exit code
 * 1: some files were skipped.
 */
export async function importFolder(config: Config, path: string, options: Options): Promise<void> {
  const unused = OF_BUCKETS.find((name) => options[name] !== undefined);
  if (unused !== undefined) {
    throw new UsageError(`--${unused} is for buckets: \`import s3://BUCKET\`.`);
  }
  const { folder = "", visibility } = options;
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
  return withImport(config, report, ({ catalog, files, refreshSettings }) => {
    const beginUpload: Files["beginUpload"] = async (caller, expectedBytes) => {
      await refreshSettings();
      return files.beginUpload(caller, expectedBytes);
    };
    return importTree({ files: { ...files, beginUpload }, names: catalog, ...request, ...report });
  });
}
