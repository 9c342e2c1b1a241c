import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireEntry } from "../find-entry.ts";
import { placeFor } from "../local/place-for.ts";
import { parseOnConflict } from "../parse-on-conflict.ts";
import type { RemoteSession } from "../run-remote.ts";

/**
 * `cp KEY KEY`: copies a file, or a folder with everything in it, on the server. The target is as for `mv`,
 * but a folder is copied into itself if it is its own target.
 */
export async function copyRemote(
  session: RemoteSession,
  [from, to, ...more]: readonly string[],
  options: { readonly "on-conflict"?: string | undefined },
): Promise<number> {
  if (from === undefined || to === undefined || more.length > 0) {
    throw new UsageError("`cp` takes the key of a file or folder and the key of the copy.");
  }
  const onConflict = parseOnConflict(options["on-conflict"]);
  const { holdall, output, signal } = session;
  const entry = await requireEntry(holdall, from, signal);
  const subject = entry.type === "file" ? entry.file : entry.folder;
  if (subject.key === "") throw new UsageError("The root folder cannot be copied.");
  const { folderId, name } = await placeFor(session, subject, to);
  const copied =
    entry.type === "file"
      ? (await holdall.files.copy(subject.id, { folderId, name, onConflict, signal }))[0]
      : await holdall.folders
          .copy(subject.id, { parentId: folderId, name, onConflict, signal })
          .then(({ folder, ...counts }) => ({ ...folder, ...counts }));
  if (copied === undefined) {
    await output.print(
      { type: "skipped", kind: entry.type, fromKey: subject.key },
      `Skipped ${subject.key}: the name is taken`,
    );
    return exitCodes.done;
  }
  await output.print(
    { type: "copied", kind: entry.type, fromKey: subject.key, ...copied },
    `Copied ${subject.key} to ${copied.key}`,
  );
  return exitCodes.done;
}
