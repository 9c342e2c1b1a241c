import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireEntry } from "../find-entry.ts";
import { placeFor } from "../local/place-for.ts";
import { parseOnConflict } from "../parse-on-conflict.ts";
import type { RemoteSession } from "../run-remote.ts";

/**
 * `mv KEY KEY`: renames or moves a file or a folder. If the target is an existing folder or ends with
 * "/", it moves into that folder. Missing folders are created.
 */
export async function moveRemote(
  session: RemoteSession,
  [from, to, ...more]: readonly string[],
  options: { readonly "on-conflict"?: string | undefined },
): Promise<number> {
  if (from === undefined || to === undefined || more.length > 0) {
    throw new UsageError("`mv` takes the key of a file or folder and its new key.");
  }
  const onConflict = parseOnConflict(options["on-conflict"]);
  const { holdall, output, signal } = session;
  const entry = await requireEntry(holdall, from, signal);
  const subject = entry.type === "file" ? entry.file : entry.folder;
  if (subject.key === "") throw new UsageError("The root folder cannot be moved.");
  if (entry.type === "folder" && onConflict === "replace") {
    throw new UsageError("A folder cannot be replaced: use --on-conflict keepBoth or skip.");
  }
  const { folderId, name } = await placeFor(session, subject, to);
  const { id, key } =
    entry.type === "file"
      ? await holdall.files.update(subject.id, { name, folderId, onConflict }, { signal })
      : await holdall.folders.update(
          subject.id,
          { name, parentId: folderId, ...(onConflict === "replace" ? {} : { onConflict }) },
          { signal },
        );
  if (key === subject.key && onConflict === "skip") {
    await output.print(
      { type: "skipped", kind: entry.type, fromKey: subject.key },
      `Skipped ${subject.key}: the name is taken`,
    );
    return exitCodes.done;
  }
  await output.print(
    { type: "moved", kind: entry.type, id, fromKey: subject.key, key },
    `Moved ${subject.key} to ${key}`,
  );
  return exitCodes.done;
}
