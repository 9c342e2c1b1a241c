import { type FileObject, type FolderObject, HoldallError } from "../../sdk/src/holdall.ts";
import { UsageError } from "../commands/usage-error.ts";
import { parseKey, splitKey } from "../rules/name.ts";
import { exitCodes } from "./exit-codes.ts";
import { findEntry, requireEntry } from "./find-entry.ts";
import type { RemoteSession } from "./run-remote.ts";

/**
 * `mv KEY KEY`: renames or moves a file or a folder. If the target is an existing folder or ends with
 * "/", it moves into that folder. Missing folders are created.
 */
export async function moveRemote(
  session: RemoteSession,
  [from, to, ...more]: readonly string[],
): Promise<number> {
  if (from === undefined || to === undefined || more.length > 0) {
    throw new UsageError("`mv` takes the key of a file or folder and its new key.");
  }
  const { holdall, output, signal } = session;
  const entry = await requireEntry(holdall, from, signal);
  const subject = entry.type === "file" ? entry.file : entry.folder;
  if (subject.key === "") throw new UsageError("The root folder cannot be moved.");
  const { folderId, name } = await placeFor(session, subject, to);
  const moved =
    entry.type === "file"
      ? await holdall.files.update(subject.id, { name, folderId }, { signal })
      : await holdall.folders.update(subject.id, { name, parentId: folderId }, { signal });
  const { id, key } = moved;
  await output.print(
    { type: "moved", kind: entry.type, id, fromKey: subject.key, key },
    `Moved ${subject.key} to ${key}`,
  );
  return exitCodes.done;
}

/** The folder and the name that the target stands for. */
async function placeFor(
  session: RemoteSession,
  subject: FileObject | FolderObject,
  to: string,
): Promise<{ folderId: string; name: string }> {
  const found = await findEntry(session.holdall, to, session.signal);
  if (found?.type === "folder" && found.folder.id !== subject.id) {
    return { folderId: found.folder.id, name: subject.name };
  }
  const key = parseKey(to);
  if (to.endsWith("/")) return { folderId: await folderAt(session, key), name: subject.name };
  const place = splitKey(key);
  if (place === undefined) return { folderId: await folderAt(session, ""), name: subject.name };
  return { folderId: await folderAt(session, place.folder), name: place.name };
}

/** The id of a folder, which is created if it does not exist. */
async function folderAt({ holdall, signal }: RemoteSession, key: string): Promise<string> {
  const found = await findEntry(holdall, `${key}/`, signal);
  if (found?.type === "folder") return found.folder.id;
  try {
    return (await holdall.folders.create(key, { signal })).id;
  } catch (error) {
    // Another client may have created it in the meantime.
    const created = await findEntry(holdall, `${key}/`, signal);
    if (error instanceof HoldallError && created?.type === "folder") return created.folder.id;
    throw error;
  }
}
