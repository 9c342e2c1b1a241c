import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { Snapshot } from "../catalog/port.ts";
import { fsyncFolder } from "../fs/fsync-folder.ts";
import { Fault } from "../rules/fault.ts";
import { forEachConcurrently } from "../rules/for-each-concurrently.ts";
import type { FileRecord, FolderRecord, Key } from "../rules/records.ts";
import { type Count, count } from "./copy-blobs.ts";
import { createFileWriter, type FileWriter } from "./export-file.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { messageOf, unlessAbsent } from "./system-error.ts";

export interface ExportParts {
  readonly snapshot: Snapshot;
  readonly blobs: BlobInspection;
  /** The folder whose content is exported. */
  readonly folder: Key;
  /** An existing folder, and the folder in it from `openUnfinished`, which is removed at the end. */
  readonly path: string;
  readonly unfinished: string;
  /** As of `FileWriterParts`. */
  readonly syncVolume: (path: string) => Promise<void>;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface Exported {
  readonly written: Count;
  readonly alreadyThere: Count;
  readonly folders: number;
  /** Files and folders that were not exported; each was reported. */
  readonly leftOut: number;
}

const CONCURRENCY = 16;
const EVERYTHING = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;

/**
 * Writes the files and folders of the snapshot below `path`. Never replaces anything: equal files are
 * counted, others are reported. Writes nothing outside `path` and follows no links. When it resolves,
 * the export survives a power cut. Faults "not_found": there is no such folder; "no_space".
 */
export async function exportTree(parts: ExportParts): Promise<Exported> {
  const { snapshot, progress, onProblem } = parts;
  const top = await snapshot.folderByKey(parts.folder);
  if (top === undefined) throw new Fault("not_found", `There is no folder "${parts.folder}".`);
  if (parts.folder === "") progress.total = await snapshot.total();
  const written: Count = { files: 0, bytes: 0 };
  const alreadyThere: Count = { files: 0, bytes: 0 };
  const folders: string[] = [];
  let leftOut = 0;

  function leaveOut(key: string, problem: string): void {
    leftOut += 1;
    onProblem(key, problem);
  }

  async function* filesIn(folder: FolderRecord, path: string): AsyncGenerator<Job> {
    folders.push(path);
    for await (const batch of snapshot.listFiles({ folderId: folder.id }, EVERYTHING)) {
      for (const file of batch) yield { file, path: join(path, file.name) };
    }
    for await (const batch of snapshot.listFolders(folder.id)) {
      for (const child of batch) {
        const childPath = join(path, child.name);
        const problem = await enter(childPath);
        if (problem === null) yield* filesIn(child, childPath);
        else leaveOut(child.key, `${problem}, so nothing inside was exported`);
      }
    }
  }

  async function exportOne(writer: FileWriter, { file, path }: Job): Promise<void> {
    const result = await writer.put(file, path, (bytes) => {
      progress.bytes += bytes;
    });
    progress.files += 1;
    if (result === "there") count(alreadyThere, file.size);
    else if (result !== "complete") leaveOut(file.key, result.problem);
  }

  const writer = createFileWriter({
    ...parts,
    onPlaced(file, problem) {
      if (problem === null) count(written, file.size);
      else leaveOut(file.key, problem);
    },
  });
  await forEachConcurrently(filesIn(top, parts.path), CONCURRENCY, (job) => exportOne(writer, job));
  await writer.place();
  await writer.close();
  await forEachConcurrently(folders, CONCURRENCY, fsyncFolder);
  return { written, alreadyThere, folders: folders.length - 1, leftOut };
}

interface Job {
  readonly file: FileRecord;
  readonly path: string;
}

/** Creates the folder if absent. null: it exists now; otherwise the problem. */
async function enter(path: string): Promise<string | null> {
  try {
    const found = await lstat(path).catch(unlessAbsent);
    if (found === undefined) await mkdir(path);
    else if (!found.isDirectory()) return "something that is no folder is there already";
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
