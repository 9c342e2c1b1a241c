import { join } from "node:path";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, splitKey } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Files } from "../../files/files.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import type { Count } from "../copy-blobs.ts";
import { createPlannedKeys } from "../planned-keys.ts";
import type { TransferReport } from "../progress.ts";
import { checksumOf, readFileAt, statFile } from "../read-file-at.ts";
import { messageOf } from "../system-error.ts";
import type { ListedVazeKey, Vaze, VazeFile, VazeKey } from "./open-vaze.ts";

export interface VazeImportDeps extends TransferReport {
  readonly vaze: Vaze;
  readonly files: Pick<Files, "beginUpload" | "createFolder">;
  readonly names: FileTree;
  /** Adds an API key with this hash. false: there is one already. */
  readonly addKey: (key: VazeKey) => Promise<boolean>;
  /** Stores nothing. */
  readonly isDryRun: boolean;
}

export interface VazeImported {
  readonly imported: Count;
  readonly existing: Count;
  readonly conflicts: number;
  readonly skipped: number;
  /** Added API keys, and those that had expired. */
  readonly keys: { readonly added: number; readonly existing: number; readonly expired: number };
  /** Files whose hosting URL is another one now. */
  readonly moved: number;
}

const CONCURRENCY = 8;

/**
 * Stores the files of Vaze under their keys, so that their hosting URLs stay, and its API keys. What exists
 * already is never replaced, so a run that ends early is continued by another one.
 */
export async function importVaze(deps: VazeImportDeps): Promise<VazeImported> {
  const { vaze, files, names, progress, isDryRun } = deps;
  const imported: Count = { files: 0, bytes: 0 };
  const existing: Count = { files: 0, bytes: 0 };
  const keys = { added: 0, existing: 0, expired: 0 };
  /** An import that stores them finds them in its destination. */
  const planned = isDryRun ? createPlannedKeys() : undefined;
  const counts = { conflicts: 0, skipped: 0, moved: 0 };

  function skip(key: string, problem: string): void {
    counts.skipped += 1;
    deps.onProblem(key, problem);
  }

  function conflict(key: string, problem: string): void {
    counts.conflicts += 1;
    deps.onProblem(key, problem);
  }

  async function importFile(file: VazeFile): Promise<void> {
    const key = keyOf(file.key);
    if (key === undefined) return skip(file.key, "no file can have this name");
    const problem = planned?.addFile(key);
    if (problem !== undefined) return conflict(file.key, problem);
    const path = join(vaze.uploads, file.key);
    try {
      await importContent(file, key, path);
    } catch (error) {
      if (!(error instanceof Fault)) return skip(file.key, messageOf(error));
      if (error.kind !== "conflict" && error.kind !== "invalid") throw error;
      return conflict(file.key, error.message.replace(/\.$/, ""));
    }
    if (file.url !== file.key) counts.moved += 1;
  }

  async function importContent(file: VazeFile, key: Key, path: string): Promise<void> {
    const { size } = await statFile(path);
    const found = await names.fileByKey(COMMAND_EVERYWHERE, key);
    if (found !== undefined) {
      const isSame = found.size === size && (await checksumOf(path)) === found.checksum;
      if (!isSame) return conflict(file.key, "a file with different content already exists");
      progress.bytes += size;
      return count(existing, size);
    }
    if (!isDryRun) await store(file, key, path, size);
    count(imported, size);
  }

  async function store(file: VazeFile, key: Key, path: string, size: number): Promise<void> {
    const place = splitKey(key);
    if (place === undefined) return;
    const session = await files.beginUpload(AUTHORIZED_COMMAND, size);
    try {
      await session.add(place.name, file.mimeType, counted(readFileAt(path)));
    } catch (error) {
      await session.abort();
      throw error;
    }
    await session.commit({ folder: place.folder, visibility: file.visibility });
  }

  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      progress.bytes += chunk.length;
      yield chunk;
    }
  }

  async function makeFolder(path: string): Promise<void> {
    const key = keyOf(path);
    if (key === undefined) return skip(path, "no folder can have this name");
    const problem = planned?.addFolder(key);
    if (problem !== undefined) return conflict(path, problem);
    if ((await names.folderByKey(COMMAND_EVERYWHERE, key)) !== undefined || isDryRun) return;
    try {
      await files.createFolder(AUTHORIZED_COMMAND, key);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
      conflict(path, error.message.replace(/\.$/, ""));
    }
  }

  async function addKey({ expiresAt, ...key }: ListedVazeKey): Promise<void> {
    const name = `API key ${key.name}`;
    if (expiresAt === undefined) skip(name, "the time when it expires cannot be read");
    else if (expiresAt !== null && expiresAt <= Date.now()) keys.expired += 1;
    else if (!/^[0-9a-f]{64}$/.test(key.hash)) skip(name, "its hash is no SHA-256");
    else if (isDryRun || (await deps.addKey({ ...key, expiresAt }))) keys.added += 1;
    else keys.existing += 1;
  }

  function count(to: Count, size: number): void {
    to.files += 1;
    to.bytes += size;
    progress.files += 1;
  }

  for (const folder of vaze.folders) await makeFolder(folder);
  await forEachConcurrently(vaze.files, CONCURRENCY, importFile);
  for (const key of vaze.keys) await addKey(key);
  return { imported, existing, keys, ...counts };
}

/** The key of a path, if it has the same segments; undefined: no file can have it. */
function keyOf(path: string): Key | undefined {
  if (path === "" || path.split("/").includes("..")) return undefined;
  try {
    return parseKey(path);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
