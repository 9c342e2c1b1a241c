import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireEntry } from "../find-entry.ts";
import { parseSeconds } from "../parse-seconds.ts";
import type { RemoteSession } from "../run-remote.ts";
import { isShare, type ShareOptions, shareRemote } from "./share.ts";

/**
 * `link KEY [--expires-in SECONDS]`: prints a signed URL, which reads the file without a key until it
 * expires. With an option of `shareRemote`: makes a link that can be revoked.
 */
export async function linkRemote(
  session: RemoteSession,
  [key, ...more]: readonly string[],
  options: ShareOptions,
): Promise<number> {
  if (key === undefined || more.length > 0) throw new UsageError("`link` takes one key.");
  if (isShare(options)) return shareRemote(session, key, options);
  const { holdall, output, signal } = session;
  const seconds = parseSeconds(options["expires-in"]);
  const entry = await requireEntry(holdall, key, signal);
  if (entry.type === "folder") {
    throw new UsageError(
      "A signed URL is for a file, but this is a folder. To share it, add --share.",
    );
  }
  const { id, key: stored } = entry.file;
  const { url, expiresAt } = await holdall.files.sign(id, { expiresIn: seconds, signal });
  const object = { type: "link", id, key: stored, url, expiresAt: expiresAt.toISOString() };
  await output.print(object, url);
  return exitCodes.done;
}
