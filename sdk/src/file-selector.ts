import { call } from "./call.ts";
import { HoldallError } from "./error.ts";
import type { Transport } from "./transport.ts";
import { mapParallel } from "./uploads/map-parallel.ts";

/** An id, or an object with an id or a key. */
export type FileSelector = string | { readonly id: string } | { readonly key: string };

/** Selects a folder by its id or its key. */
export type FolderSelector = { readonly id: string } | { readonly key: string };

/** The query parameters that select the file, or a folder. */
export function fileQuery(file: FileSelector): { readonly id?: string; readonly key?: string } {
  if (typeof file === "string") return { id: file };
  return "id" in file ? { id: file.id } : { key: file.key };
}

/** The id of a file, for operations that take nothing else. 404: no file has the key. */
export async function idOf(
  transport: Transport,
  file: FileSelector,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { id, key } = fileQuery(file);
  return id ?? (await call(transport, "fileDigest", { query: { key }, signal })).id;
}

interface FoundIds {
  readonly ids: string[];
  /** The keys that no file has, as `id`. */
  readonly missing: { id: string; message: string }[];
}

/** The ids of files. HoldallError with 404: none exists. */
export async function findIds(
  transport: Transport,
  files: readonly FileSelector[],
  signal: AbortSignal | undefined,
): Promise<FoundIds> {
  const missing: FoundIds["missing"] = [];
  let failure: unknown;
  const found = await mapParallel(files, signal, async (file, abort) => {
    try {
      return await idOf(transport, file, abort);
    } catch (error) {
      if (!(error instanceof HoldallError && error.status === 404)) throw error;
      failure = error;
      missing.push({ id: fileQuery(file).key ?? "", message: error.message });
      return undefined;
    }
  });
  const ids = found.filter((id) => id !== undefined);
  if (ids.length === 0 && failure !== undefined) throw failure;
  return { ids, missing };
}
