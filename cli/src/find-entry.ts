import {
  type FileObject,
  type FolderObject,
  type Holdall,
  HoldallError,
} from "../../sdk/src/holdall.ts";

/** A file or a folder of the server. */
export type Entry =
  | { readonly type: "file"; readonly file: FileObject }
  | { readonly type: "folder"; readonly folder: FolderObject };

/**
 * What a key refers to; undefined: nothing. The empty key and "/" are the root, and a key that ends
 * with "/" is only a folder.
 */
export async function findEntry(
  { files, folders }: Holdall,
  key: string,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  const file = /(^|\/)$/.test(key)
    ? undefined
    : await unlessMissing(files.getByKey(key, { signal }));
  if (file !== undefined) return { type: "file", file };
  const found = await unlessMissing(folders.browse({ key }, { limit: 0, signal }));
  return found === undefined ? undefined : { type: "folder", folder: found.folder };
}

/** As `findEntry`. 404: the key refers to nothing. */
export async function requireEntry(
  holdall: Holdall,
  key: string,
  signal: AbortSignal,
): Promise<Entry> {
  const entry = await findEntry(holdall, key, signal);
  if (entry !== undefined) return entry;
  throw new HoldallError(404, "The server has no file or folder with this key.");
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof HoldallError && error.status === 404) return undefined;
    throw error;
  }
}
