import type { FileTree } from "../catalog/port/file-tree.ts";
import { AUTHORIZED_COMMAND } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Key, Visibility } from "../domain/records.ts";
import type { Files } from "../files/files.ts";
import { forEachConcurrently } from "../lib/for-each-concurrently.ts";
import { sleep } from "../runtime/sleep.ts";
import type { Count } from "./copy-blobs.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { checksumOf, readFileAt } from "./read-file-at.ts";
import { type Batch, readTree, type SourceFile } from "./source-tree.ts";
import { messageOf } from "./system-error.ts";

export interface ImportDeps {
  readonly files: Pick<Files, "beginUpload" | "createFolder">;
  readonly names: FileTree;
  /** The folder whose content is imported. */
  readonly path: string;
  /** The destination, which is created if it does not exist. */
  readonly folder: Key;
  /** Default: that of the settings. */
  readonly visibility: Visibility | undefined;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface Imported {
  readonly imported: Count;
  readonly existing: Count;
  /** Number of paths where something else already exists. */
  readonly conflicts: number;
  /** Number of entries that are not a file or folder, have an invalid name, or cannot be read. */
  readonly skipped: number;
}

/** While one batch waits for its commit, others are read. */
const CONCURRENCY = 4;
/** Long enough for a busy catalog and for a server that starts or stops. */
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 500;

/**
 * Uploads the files and folders below `path`. Counts existing files with the same content; reports
 * existing files with different content and never replaces them. Faults "no_space"; "unavailable": the
 * catalog stays busy.
 */
export async function importTree(deps: ImportDeps): Promise<Imported> {
  const { files, names, progress, visibility } = deps;
  const imported: Count = { files: 0, bytes: 0 };
  const existing: Count = { files: 0, bytes: 0 };
  let conflicts = 0;
  let skipped = 0;

  function skip(what: string, problem: string): void {
    skipped += 1;
    deps.onProblem(what, problem);
  }

  function conflict(key: string, problem: string): void {
    conflicts += 1;
    deps.onProblem(key, problem);
  }

  async function importBatch(batch: Batch): Promise<void> {
    if (batch.files.length === 0) return makeFolder(batch.folder);
    const left = new Set(batch.files);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await skipExisting(left);
        if (left.size > 0) await upload(batch.folder, left);
        return;
      } catch (error) {
        if (error instanceof SourceFailure) {
          left.delete(error.file);
          skip(error.file.path, messageOf(error.cause));
          attempt -= 1;
        } else if (isBlocked(error)) {
          // A name has just been taken, or a folder of the path is a file.
          if (attempt > 2) return conflictAll(left, error);
        } else if (isRetryable(error) && attempt < MAX_ATTEMPTS) await sleep(PAUSE_MS);
        else throw error;
      }
    }
  }

  async function upload(folder: Key, left: ReadonlySet<SourceFile>): Promise<void> {
    const wanted = [...left];
    const size = wanted.reduce((sum, file) => sum + file.size, 0);
    const session = await files.beginUpload(AUTHORIZED_COMMAND, size);
    try {
      await session.expectTarget({ folder });
      for (const file of wanted) {
        await session.add(file.name, undefined, readSourceFile(file, onBytes));
      }
    } catch (error) {
      await session.abort();
      throw error;
    }
    for (const file of await session.commit({ folder, visibility })) count(imported, file.size);
  }

  /** Counts or reports the files whose names are taken, and removes them from `left`. */
  async function skipExisting(left: Set<SourceFile>): Promise<void> {
    for (const file of left) {
      const found = await names.fileByKey(COMMAND_EVERYWHERE, file.key);
      if (found === undefined) {
        if ((await names.folderByKey(COMMAND_EVERYWHERE, file.key)) === undefined) continue;
        conflict(file.key, "a folder with this name already exists");
      } else if (await hasSameContent(file, found)) {
        count(existing, found.size);
        onBytes(found.size);
      } else conflict(file.key, "a file with different content already exists");
      left.delete(file);
    }
  }

  async function hasSameContent(file: SourceFile, found: { size: number; checksum: number }) {
    if (file.size !== found.size) return false;
    try {
      return (await checksumOf(file.path)) === found.checksum;
    } catch (cause) {
      throw new SourceFailure(file, cause);
    }
  }

  async function makeFolder(folder: Key): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      if ((await names.folderByKey(COMMAND_EVERYWHERE, folder)) !== undefined) return;
      try {
        await files.createFolder(AUTHORIZED_COMMAND, folder);
        return;
      } catch (error) {
        if (isBlocked(error)) {
          // Created by another batch, or a file has this name.
          if ((await names.folderByKey(COMMAND_EVERYWHERE, folder)) !== undefined) return;
          return conflict(folder, messageOf(error));
        }
        if (!isRetryable(error) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  function conflictAll(left: ReadonlySet<SourceFile>, error: Error): void {
    for (const file of left) conflict(file.key, error.message);
  }

  function count(to: Count, size: number): void {
    to.files += 1;
    to.bytes += size;
    progress.files += 1;
  }

  function onBytes(bytes: number): void {
    progress.bytes += bytes;
  }

  await forEachConcurrently(readTree(deps.path, deps.folder, skip), CONCURRENCY, importBatch);
  return { imported, existing, conflicts, skipped };
}

/** A file of the tree could not be read, or changed while it was read. */
class SourceFailure extends Error {
  readonly file: SourceFile;

  constructor(file: SourceFile, cause: unknown) {
    super(`${file.path} could not be read.`, { cause });
    this.file = file;
  }
}

/** The file's bytes; `onBytes` is called with the length of each chunk. Throws `SourceFailure`. */
async function* readSourceFile(
  file: SourceFile,
  onBytes: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of readFileAt(file.path)) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    throw new SourceFailure(file, cause);
  }
}

const isBlocked = (error: unknown): error is Fault =>
  error instanceof Fault && (error.kind === "conflict" || error.kind === "invalid");

const isRetryable = (error: unknown): boolean =>
  error instanceof Fault && error.kind === "unavailable";
