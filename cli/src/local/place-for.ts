import { type FileObject, type FolderObject, HoldallError } from "../../../sdk/src/holdall.ts";
import { parseKey, splitKey } from "../../../server/domain/names/name.ts";
import { findEntry } from "../find-entry.ts";
import type { RemoteSession } from "../run-remote.ts";

/**
 * The folder and the name that a target stands for: an existing folder or a key that ends with "/" is the
 * folder. Missing folders are created.
 */
export async function placeFor(
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
