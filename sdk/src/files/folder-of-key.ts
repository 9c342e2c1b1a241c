import { call } from "../connection/call.ts";
import { unless } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** The key of the folder and the name in the key of a file. */
export function splitKey(key: string): { readonly folder: string; readonly name: string } {
  const slash = key.lastIndexOf("/");
  return { folder: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}

/** The folder, which is created if it is missing, and the name of a file with this key. */
export async function placeOf(
  transport: Transport,
  key: string,
  options: CallOptions,
): Promise<{ readonly folderId: string; readonly name: string }> {
  const { folder, name } = splitKey(key);
  return { folderId: await ensureFolder(transport, folder, options), name };
}

/** The id of the folder with this key, which is created with the folders above if it does not exist. */
export async function ensureFolder(
  transport: Transport,
  key: string,
  { signal }: CallOptions,
): Promise<string> {
  const find = async (): Promise<string> =>
    (await call(transport, "browseFolder", { query: { key, limit: 0 }, signal })).folder.id;
  return (
    (await find().catch(unless(404))) ??
    // Somebody else may create it meanwhile.
    (await createMissingFolder(transport, key, { signal })) ??
    find()
  );
}

/** Creates a folder with the folders above. Returns its id; undefined: it exists. */
export async function createMissingFolder(
  transport: Transport,
  folder: string,
  { signal }: CallOptions,
): Promise<string | undefined> {
  const created = call(transport, "createFolder", { body: { folder }, signal });
  return (await created.catch(unless(409)))?.folder.id;
}
