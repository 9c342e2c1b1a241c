import type { Visibility } from "../../sdk/src/holdall.ts";
import { keyNames, parseKey, splitKey } from "../../server/domain/names/name.ts";
import type { OnConflict } from "../../server/domain/names/on-conflict.ts";
import { exitCodes } from "./exit-codes.ts";
import { findEntry } from "./find-entry.ts";
import type { RemoteSession } from "./run-remote.ts";

export interface PutUrlOptions {
  /** The key of the file, or an existing folder for it; with a final slash, a folder in any case. */
  readonly to: string | undefined;
  readonly isFolder: boolean;
  readonly visibility: Visibility | undefined;
  readonly onConflict: OnConflict | undefined;
}

const POLL_MS = 500;

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Makes the server fetch a file, and waits for it. Returns the exit code. */
export async function putUrl(
  { holdall, output, signal }: RemoteSession,
  url: string,
  { to, isFolder, ...options }: PutUrlOptions,
): Promise<number> {
  const place = await placeOf(holdall, { to, isFolder, signal });
  const body = { url, ...place, ...options };
  const { uploads } = await holdall.call("fetchFiles", { body, signal });
  const [upload] = uploads;
  if (upload === undefined) throw new Error("The server did not begin to fetch the file.");
  for (;;) {
    const { file, fetch, complete } = await holdall.uploads.show(upload.url, { signal });
    if (complete) {
      const key = file?.key ?? null;
      await output.print(
        { type: file === null ? "skipped" : "stored", url, key },
        key === null ? `Skipped ${url}.` : `${url} → ${key}`,
      );
      return exitCodes.done;
    }
    if (fetch?.state === "failed") throw new Error(fetch.error ?? "The file could not be fetched.");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

async function placeOf(
  holdall: RemoteSession["holdall"],
  {
    to,
    isFolder,
    signal,
  }: Pick<PutUrlOptions, "to" | "isFolder"> & { readonly signal: AbortSignal },
): Promise<{ readonly folder?: string; readonly name?: string }> {
  if (to === undefined) return {};
  const key = parseKey(to);
  if (isFolder || keyNames(key).length === 0) return { folder: key };
  const target = await findEntry(holdall, `${key}/`, signal);
  const place = target === undefined ? splitKey(key) : undefined;
  return place === undefined ? { folder: key } : { folder: place.folder, name: place.name };
}
