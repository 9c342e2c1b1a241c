import { isBucketName } from "../../contract/text/bucket-name.ts";
import { S3Error } from "../blobs/s3/s3-error.ts";
import type { BucketAddress } from "../blobs/s3/s3-settings.ts";
import type { Config } from "../config/config.ts";
import { AUTHORIZED_COMMAND } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { keyNames, parseKey, ROOT_KEY } from "../domain/names/name.ts";
import type { Key, Visibility } from "../domain/records.ts";
import { parseVisibility } from "../domain/visibility.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { type BucketImported, importBucket } from "../transfer/bucket/import-bucket.ts";
import { openS3Source } from "../transfer/bucket/s3-source.ts";
import type { TransferReport } from "../transfer/progress.ts";
import type { CommandCall } from "./command.ts";
import type { Options } from "./read-arguments.ts";
import { runTransfer } from "./run-transfer.ts";
import { type ImportInstance, withImport } from "./with-import.ts";

interface BucketRequest {
  readonly address: BucketAddress;
  readonly prefix: string;
  /** The destination folder. */
  readonly folder: Key;
  readonly visibility: Visibility | undefined;
  readonly isDryRun: boolean;
}

/**
 * `import s3://BUCKET[/PREFIX] --endpoint URL`: works with or without a running server. Exit code 1: some
 * objects were not imported, or not with all that they have.
 */
export async function importBucketCommand(
  call: Pick<CommandCall, "config" | "bucketAddress">,
  from: string,
  options: Options,
): Promise<void> {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([A-Za-z0-9._-]+)(?:\/(.*))?$/s.exec(from) ?? [];
  if (bucket === "") throw new UsageError("A bucket to import is written as s3://BUCKET/PREFIX.");
  const folder = parseKey(options.folder ?? bucket);
  if (folder === ROOT_KEY) {
    throw new UsageError("--folder must name a folder: files in the root are in no bucket.");
  }
  const { endpoint, region, visibility } = options;
  const kind = options["from-supabase"] === true ? "supabase" : "s3";
  const request = {
    address: call.bucketAddress({ bucket, endpoint, region, kind }),
    prefix,
    folder,
    visibility: visibility === undefined ? undefined : parseVisibility(visibility),
    isDryRun: options["dry-run"] === true,
  };
  const config = await call.config();
  const verb = request.isDryRun ? "Examining" : "Importing";
  const work = runTransfer(verb, (report) => importFrom(config, request, report));
  const { result, notes } = await work.catch((error: unknown) => {
    throw error instanceof S3Error ? explainSource(error) : error;
  });
  console.log(summaryOf(result, request).join("\n"));
  const [name = ""] = keyNames(folder);
  if (!isBucketName(name)) {
    console.log(
      `S3 clients do not see the folder ${name}, as its name is not that of a bucket: see --folder.`,
    );
  }
  for (const note of notes) console.log(escapeControlCharacters(`s3://${bucket}: ${note}`));
}

/** The source does not reply, or refuses all requests. */
const explainSource = ({ message, status }: S3Error): Error =>
  new Error(
    status >= 400 && status < 500
      ? `the source refused a request: ${message}`
      : `the source does not reply (${message}); to continue, run the same command again.`,
  );

async function importFrom(config: Config, request: BucketRequest, report: TransferReport) {
  const source = await openS3Source(request.address);
  const { folder, isDryRun } = request;
  const result = await withImport(
    config,
    report,
    async ({ catalog, files, objects, ...instance }) => {
      if (!isDryRun) await makeFolder({ catalog, files }, folder);
      return importBucket({
        source,
        destination: {
          file: async (key) => catalog.fileByKey(COMMAND_EVERYWHERE, key),
          hasFolder: async (key) =>
            (await catalog.folderByKey(COMMAND_EVERYWHERE, key)) !== undefined,
          async store(caller, object) {
            await instance.refreshSettings();
            return objects.store(caller, object);
          },
          put: objects.put,
          putFolder: objects.putFolder,
        },
        ...request,
        ...report,
      });
    },
  );
  return { result, notes: source.notes };
}

/** Fault "conflict": a file is in the way. */
async function makeFolder(
  { catalog, files }: Pick<ImportInstance, "catalog" | "files">,
  folder: Key,
): Promise<void> {
  const exists = async () => (await catalog.folderByKey(COMMAND_EVERYWHERE, folder)) !== undefined;
  if (await exists()) return;
  try {
    await files.createFolder(AUTHORIZED_COMMAND, folder);
  } catch (error) {
    // Created meanwhile.
    if (!(error instanceof Fault) || error.kind !== "conflict" || !(await exists())) throw error;
  }
}

function summaryOf(
  { imported, existing, ...counts }: BucketImported,
  { isDryRun }: BucketRequest,
): string[] {
  const { replaced, changed, conflicts, skipped, incomplete, unchecked } = counts;
  const number = (amount: number): string => amount.toLocaleString("en");
  const lines: readonly (readonly [amount: number, line: string])[] = [
    [replaced, `Replaced ${countText(replaced, "file")} by newer content.`],
    [changed, `Changed while they were read: ${countText(changed, "object")}.`],
    [
      incomplete,
      `${isDryRun ? "To be imported" : "Imported"} without something that is named above: ${countText(incomplete, "object")}.`,
    ],
    [
      isDryRun ? 0 : unchecked,
      `Compared by size only, as the source has no digest of them: ${countText(unchecked, "object")}.`,
    ],
    [conflicts, "Existing files were not changed: see the names above."],
  ];
  const done = `${countText(imported.files, "object")} (${bytesText(imported.bytes)})`;
  return [
    `${isDryRun ? `Nothing was changed. To import: ${done}` : `Imported ${done}`}; already present ${number(existing.files)}; ${countText(conflicts, "conflict")}; skipped ${number(skipped)}.`,
    ...lines.flatMap(([amount, line]) => (amount > 0 ? [line] : [])),
  ];
}
