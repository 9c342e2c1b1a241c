import { type FileObject, type Holdall, HoldallError } from "../../../sdk/src/holdall.ts";
import { SMALL_BYTES } from "./bundle.ts";
import type { Item } from "./item.ts";
import { isSameContent } from "./same-content.ts";

export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes sent of the whole bundle. */
  readonly onProgress: (loaded: number) => void;
}

/** Uploads a bundle in one request. Resolves with the ids of the items whose names were taken. */
export async function transfer(
  { files, folders }: Holdall,
  bundle: readonly Item[],
  { signal, onProgress }: TransferOptions,
): Promise<ReadonlySet<number>> {
  const [first] = bundle;
  if (first === undefined) return new Set();
  const key = keyOf(first);
  if (first.content === undefined) {
    await makeFolder(key);
    return new Set();
  }
  const shouldAsk = first.decision === "ask";
  // Check the name of a large file first, so that it is not sent in vain.
  if (shouldAsk && first.size > SMALL_BYTES && (await find(key)) !== undefined)
    return withoutOwnUploads([first]);
  const stored = await files.uploadMany(
    bundle.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, content }])),
    {
      folder: first.folder,
      onConflict: first.decision === "ask" ? "skip" : first.decision,
      onProgress: ({ loaded }) => onProgress(loaded),
      signal,
    },
  );
  if (!shouldAsk) return new Set();
  const names = new Set(stored.map(({ name }) => name));
  return withoutOwnUploads(bundle.filter(({ name }) => !names.has(name.normalize("NFC"))));

  /** The items whose names are taken by something else than their own interrupted upload. */
  async function withoutOwnUploads(existing: readonly Item[]): Promise<ReadonlySet<number>> {
    const taken = new Set(existing.map(({ id }) => id));
    for (const item of existing) {
      if (!item.mayBeStored || item.content === undefined) continue;
      const stored = await find(keyOf(item));
      if (stored === undefined) continue;
      if (await isSameContent(files, stored, item.content, signal)) taken.delete(item.id);
    }
    return taken;
  }

  async function makeFolder(path: string): Promise<void> {
    try {
      await folders.create(path, { signal });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      // An existing folder is fine; a file with this name is not.
      await folders.browse({ key: path }, { limit: 0, signal }).catch((reason: unknown) => {
        throw hasStatus(reason, 404) ? error : reason;
      });
    }
  }

  async function find(path: string): Promise<FileObject | undefined> {
    try {
      return await files.getByKey(path, { signal });
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof HoldallError && error.status === status;

function keyOf({ folder, name }: Item): string {
  const key = folder === "" ? name : `${folder}/${name}`;
  return key.normalize("NFC");
}
