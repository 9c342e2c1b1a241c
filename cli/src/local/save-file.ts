import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, type stat } from "node:fs/promises";
import type { FileObject } from "../../../sdk/src/holdall.ts";
import { DigestError } from "../exit-codes.ts";
import { type FetchOptions, fetchContent } from "../fetch-content.ts";
import type { Line } from "../output.ts";
import type { RemoteSession } from "../run-remote.ts";
import { openPartialFile } from "./partial-file.ts";

/** What to do if the local file exists with other content. */
export type SaveConflict = "refuse" | "replace" | "skip";

export interface SaveOptions extends FetchOptions {
  readonly onConflict: SaveConflict;
}

/** kept: the file was there with this content. skipped: it was there with another one. */
export interface Saved {
  readonly outcome: "saved" | "kept" | "skipped";
  /** The SHA-256 that was checked; null: the server has none yet. */
  readonly sha256: string | null;
}

const TAKEN =
  "A local file with other content has this name: add --on-conflict replace or --on-conflict skip.";

/**
 * Downloads a file to a path. It appears there complete and checked, or not at all; what arrived of it
 * stays in a hidden file next to it, and the next attempt continues there.
 */
export async function saveFile(
  { holdall, server }: RemoteSession,
  file: FileObject,
  target: string,
  { onConflict, signal, onBytes }: SaveOptions,
): Promise<Saved> {
  const found = await lstat(target).catch(ignoreAbsent);
  if (found !== undefined) {
    if (!found.isFile()) throw new Error("Something that is not a file has this name.");
    const { sha256 } = await holdall.files.digest(file.id, { signal });
    if (found.size === file.size && sha256 !== null && (await localDigest(target)) === sha256) {
      onBytes(file.size);
      return { outcome: "kept", sha256 };
    }
    if (onConflict === "skip") return { outcome: "skipped", sha256 };
    if (onConflict === "refuse") throw new Error(TAKEN);
  }
  const { id, size, updatedAt } = file;
  const part = await openPartialFile(target, JSON.stringify([server.url, id, size, updatedAt]));
  try {
    onBytes(part.size());
    const sha256 = await fetchContent(holdall, file, part, { signal, onBytes });
    if ((await part.publish(onConflict === "replace")) === "exists") throw new Error(TAKEN);
    await part.close();
    return { outcome: "saved", sha256 };
  } catch (error) {
    await (error instanceof DigestError ? part.discard() : part.close());
    throw error;
  }
}

/** The SHA-256 of a local file, in hexadecimal. */
async function localDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest("hex");
}

function ignoreAbsent(error: unknown): Awaited<ReturnType<typeof stat>> | undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

/** The line for a file that is there. */
export function savedLine(
  { key, size }: FileObject,
  path: string,
  { outcome, sha256 }: Saved,
): [object: Line, text: string] {
  const text = {
    saved: `Saved ${path}${sha256 === null ? " (not checked: the server has no digest yet)" : ""}`,
    kept: `Kept ${path}, which has this content already`,
    skipped: `Skipped ${path}, which has other content`,
  };
  return [{ type: outcome, key, path, size, sha256 }, text[outcome]];
}
