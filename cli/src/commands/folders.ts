import type { Quota } from "../../../sdk/src/holdall.ts";
import { quotasOf } from "../../../sdk/src/quotas.ts";
import { bytesText } from "../../../server/terminal/amounts.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RemoteSession } from "../run-remote.ts";

interface QuotaOptions {
  readonly "max-bytes"?: string | undefined;
  readonly "max-files"?: string | undefined;
}

/**
 * `folders quota [KEY] [--max-bytes N|none] [--max-files N|none]`: shows quotas and what is used of them, or sets the
 * limits of a folder.
 */
export async function foldersRemote(
  { holdall, output, signal }: RemoteSession,
  [verb, key, ...more]: readonly string[],
  { "max-bytes": bytes, "max-files": files }: QuotaOptions,
): Promise<number> {
  if (verb !== "quota" || more.length > 0) {
    throw new UsageError("`folders` takes quota and optionally the key of a folder.");
  }
  const limits = {
    maxBytes: parseLimit("--max-bytes", bytes),
    maxFiles: parseLimit("--max-files", files),
  };
  const isChange = bytes !== undefined || files !== undefined;
  if (!isChange) {
    const folder = key === undefined ? undefined : { key };
    for (const quota of await quotasOf(holdall).list(folder, { signal })) {
      await output.print({ type: "quota", ...quota }, quotaText(quota));
    }
    return exitCodes.done;
  }
  if (key === undefined)
    throw new UsageError("--max-bytes and --max-files need the key of a folder.");
  const quota = await quotasOf(holdall).set({ key }, limits, { signal });
  if (quota === null) {
    await output.print({ type: "quota-removed", key }, `${key} has no quota`);
    return exitCodes.done;
  }
  await output.print({ type: "quota", ...quota }, quotaText(quota));
  return exitCodes.done;
}

function quotaText({
  folder,
  usedBytes,
  maxBytes,
  usedFiles,
  maxFiles,
  isExceeded,
}: Quota): string {
  const ofBytes = maxBytes === null ? "" : ` of ${bytesText(maxBytes)}`;
  const ofFiles = maxFiles === null ? "" : ` of ${maxFiles}`;
  const state = isExceeded ? "  exceeded: additions are refused" : "";
  return `${folder.key}  ${bytesText(usedBytes)}${ofBytes}, ${usedFiles}${ofFiles} files${state}`;
}

/** null: "none". */
function parseLimit(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const [, digits = "", unit = ""] = /^(\d{1,15})([KMGT]?)$/i.exec(text) ?? [];
  const limit = Number(digits || Number.NaN) * 1024 ** " KMGT".indexOf(unit.toUpperCase() || " ");
  if (Number.isSafeInteger(limit)) return limit;
  throw new UsageError(`${option} takes a whole number, such as 500 or 10G, or none.`);
}
