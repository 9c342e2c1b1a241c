import { UsageError } from "../commands/usage-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { requireEntry } from "./find-entry.ts";
import type { RemoteSession } from "./run-remote.ts";

/** `link KEY [--expires-in SECONDS]`: prints a URL that reads the file without a key until it expires. */
export async function linkRemote(
  { holdall, output, signal }: RemoteSession,
  [key, ...more]: readonly string[],
  expiresIn: string | undefined,
): Promise<number> {
  if (key === undefined || more.length > 0) throw new UsageError("`link` takes the key of a file.");
  const seconds = parseSeconds(expiresIn);
  const entry = await requireEntry(holdall, key, signal);
  if (entry.type === "folder") {
    throw new UsageError("`link` takes the key of a file, but this is a folder.");
  }
  const { id, key: stored } = entry.file;
  const { url, expiresAt } = await holdall.files.sign(id, { expiresIn: seconds, signal });
  const object = { type: "link", id, key: stored, url, expiresAt: expiresAt.toISOString() };
  await output.print(object, url);
  return exitCodes.done;
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (seconds < 1)
    throw new UsageError("--expires-in takes a whole number of seconds, at least 1.");
  return seconds;
}
