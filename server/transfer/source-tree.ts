import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../domain/faults/fault.ts";
import { childKey, parseName } from "../domain/names/name.ts";
import type { Key, Name } from "../domain/records.ts";
import { UNFINISHED } from "./export-file.ts";
import { messageOf } from "./system-error.ts";

/** A regular file of the tree, and its key in the instance. */
export interface SourceFile {
  readonly path: string;
  readonly name: Name;
  readonly key: Key;
  readonly size: number;
}

/** Files of one folder for one commit. Without files: an empty folder. */
export interface Batch {
  readonly folder: Key;
  readonly files: readonly SourceFile[];
}

/** Many enough to share a commit, few enough to keep all of them open until they are synced. */
const MAX_FILES = 64;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The tree below `path` in batches, each folder before its subfolders. Entries that cannot be imported
 * are reported to `onSkip`, with their path and the problem as the end of a sentence.
 */
export async function* readTree(
  path: string,
  folder: Key,
  onSkip: (path: string, problem: string) => void,
): AsyncGenerator<Batch> {
  const folders: { path: string; key: Key }[] = [];
  const names = new Set<string>();
  let files: SourceFile[] = [];
  let bytes = 0;
  let isEmpty = true;

  for (const raw of await namesIn(path, onSkip)) {
    const entry = await inspect(path, raw, folder);
    if ("problem" in entry) {
      onSkip(join(path, raw.toString()), entry.problem);
    } else if (names.has(entry.name)) {
      onSkip(
        entry.path,
        "another entry in the folder has the same name after Unicode normalisation (NFC)",
      );
    } else if (entry.isFolder) {
      names.add(entry.name);
      folders.push(entry);
    } else {
      names.add(entry.name);
      files.push(entry);
      bytes += entry.size;
      if (files.length === MAX_FILES || bytes >= MAX_BYTES) {
        isEmpty = false;
        yield { folder, files };
        files = [];
        bytes = 0;
      }
    }
  }
  if (files.length > 0 || isEmpty) yield { folder, files };
  for (const child of folders) yield* readTree(child.path, child.key, onSkip);
}

type Entry = SourceFile & { readonly isFolder: boolean };

async function inspect(
  parent: string,
  raw: Buffer,
  folder: Key,
): Promise<Entry | { readonly problem: string }> {
  try {
    const text = UTF8.decode(raw);
    if (text === UNFINISHED) return { problem: "it was left by an unfinished export" };
    const path = join(parent, text);
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { problem: "it is a link" };
    if (!found.isFile() && !found.isDirectory()) return { problem: "it is not a regular file" };
    const name = parseName(text);
    const key = childKey(folder, name);
    return { path, name, key, size: found.size, isFolder: found.isDirectory() };
  } catch (error) {
    if (error instanceof Fault) return { problem: error.message.replace(/\.$/, "") };
    if (error instanceof TypeError) return { problem: "its name is not UTF-8" };
    return { problem: messageOf(error) };
  }
}

/** In byte order, so that two runs have the same order. */
async function namesIn(
  path: string,
  onSkip: (path: string, problem: string) => void,
): Promise<Buffer[]> {
  try {
    return (await readdir(path, { encoding: "buffer" })).sort(Buffer.compare);
  } catch (error) {
    onSkip(path, messageOf(error));
    return [];
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
