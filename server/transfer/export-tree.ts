import { lstat, mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { FileRecord, FolderRecord, Key, Sha256 } from "../domain/records.ts";
import { createContentHash } from "../files/upload/content-hash.ts";
import { fsyncFolder } from "../fs/fsync.ts";
import { forEachConcurrently } from "../lib/for-each-concurrently.ts";
import { checkBytes } from "./check-bytes.ts";
import { type Count, count } from "./copy-blobs.ts";
import { createFileWriter, type FileWriter } from "./export-file.ts";
import type { Manifest } from "./manifest.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { ignoreAbsent, messageOf } from "./system-error.ts";

export interface ExportDeps {
  readonly snapshot: Snapshot;
  readonly blobs: BlobInspection;
  /** The folder whose content is exported. */
  readonly folder: Key;
  /** The destination, which exists. */
  readonly path: string;
  /** The folder from `openUnfinished(path)`, which is removed at the end. */
  readonly unfinished: string;
  /** See `FileWriterDeps`. */
  readonly syncVolume: (path: string) => Promise<void>;
  /** Lists every exported file by its path below `path`. undefined: there is no list. */
  readonly manifest?: Manifest | undefined;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface Exported {
  readonly written: Count;
  readonly existing: Count;
  readonly folders: number;
  /** Files and folders that were not exported; each was reported. */
  readonly skipped: number;
}

const CONCURRENCY = 16;
const EVERYTHING = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;

/**
 * Writes the files and folders of the snapshot below `path`. Never replaces anything: counts equal files
 * and reports others. Writes nothing outside `path` and follows no links. When it resolves,
 * the export survives a power cut. Faults "not_found": there is no such folder; "no_space".
 */
export async function exportTree(deps: ExportDeps): Promise<Exported> {
  const { snapshot, blobs, progress, onProblem, manifest } = deps;
  const top = await snapshot.folderByKey(COMMAND_EVERYWHERE, deps.folder);
  if (top === undefined) throw new Fault("not_found", `There is no folder "${deps.folder}".`);
  if (deps.folder === "") progress.total = await snapshot.total();
  const written: Count = { files: 0, bytes: 0 };
  const existing: Count = { files: 0, bytes: 0 };
  const folders: string[] = [];
  let skipped = 0;

  function skip(key: string, problem: string): void {
    skipped += 1;
    onProblem(key, problem);
  }

  async function* filesIn(folder: FolderRecord, path: string): AsyncGenerator<Job> {
    folders.push(path);
    for await (const batch of snapshot.listFiles(
      COMMAND_EVERYWHERE,
      { folderId: folder.id },
      EVERYTHING,
    )) {
      for (const file of batch) yield { file, path: join(path, file.name) };
    }
    for await (const batch of snapshot.listFolders(COMMAND_EVERYWHERE, folder.id)) {
      for (const child of batch) {
        const childPath = join(path, child.name);
        const problem = await makeFolder(childPath);
        if (problem === null) yield* filesIn(child, childPath);
        else skip(child.key, `${problem}, so nothing inside was exported`);
      }
    }
  }

  async function exportOne(writer: FileWriter, { file, path }: Job): Promise<void> {
    const result = await writer.put(file, path, (bytes) => {
      progress.bytes += bytes;
    });
    progress.files += 1;
    if (result === "exists") {
      count(existing, file.size);
      await list(path, file.sha256 ?? (await digestOf(file)));
    } else if (result !== "complete") skip(file.key, result.problem);
  }

  async function digestOf(file: FileRecord): Promise<Sha256 | null> {
    if (manifest === undefined) return null;
    const hash = createContentHash();
    const problem = await checkBytes(blobs, file, hash.update);
    if (problem === null) return hash.end().sha256;
    skip(file.key, `${problem}, so it is not in the manifest`);
    return null;
  }

  async function list(path: string, digest: Sha256 | null): Promise<void> {
    if (digest !== null) await manifest?.add(digest, relative(deps.path, path));
  }

  const writer = createFileWriter({
    ...deps,
    digests: manifest !== undefined,
    onPlaced({ file, path, sha256 }, problem) {
      if (problem !== null) return skip(file.key, problem);
      count(written, file.size);
      return list(path, sha256);
    },
  });
  await forEachConcurrently(filesIn(top, deps.path), CONCURRENCY, (job) => exportOne(writer, job));
  await writer.place();
  await writer.close();
  await forEachConcurrently(folders, CONCURRENCY, fsyncFolder);
  return { written, existing, folders: folders.length - 1, skipped };
}

interface Job {
  readonly file: FileRecord;
  readonly path: string;
}

/** Creates the folder if absent. null: it exists now; otherwise the problem. */
async function makeFolder(path: string): Promise<string | null> {
  try {
    const found = await lstat(path).catch(ignoreAbsent);
    if (found === undefined) await mkdir(path);
    else if (!found.isDirectory())
      return "something other than a folder already exists at this path";
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
