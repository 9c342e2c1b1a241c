import type { Source } from "./item.ts";

/** Files per batch: the first are uploaded while the rest of a tree is still being read. */
const BATCH = 200;

/**
 * The dropped files, with the content of folders. Must be called during the drop event; the result
 * can be consumed later.
 */
export function droppedSources(data: DataTransfer, folder: string): AsyncIterable<Source[]> {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    else if (file !== null) files.push(file);
  }
  return batchesOf(sourcesOf(entries, files, folder));
}

/** The files of a file picker, with their paths if a folder was picked. */
export function pickedSources(files: Iterable<File>, folder: string): Source[] {
  return Array.from(files, (file) => {
    const path = file.webkitRelativePath.split("/").slice(0, -1).join("/");
    return { folder: join(folder, path), name: file.name, content: file };
  });
}

async function* sourcesOf(
  entries: readonly FileSystemEntry[],
  files: readonly File[],
  folder: string,
): AsyncGenerator<Source> {
  for (const file of files) yield { folder, name: file.name, content: file };
  for (const entry of entries) yield* sourcesIn(entry, folder);
}

async function* sourcesIn(entry: FileSystemEntry, folder: string): AsyncGenerator<Source> {
  if (isFile(entry)) {
    yield { folder, name: entry.name, content: await fileOf(entry) };
    return;
  }
  if (!isDirectory(entry)) return;
  const reader = entry.createReader();
  let isEmpty = true;
  for (;;) {
    // Returns up to 100 entries at a time; an empty list is the end.
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (children.length === 0) break;
    isEmpty = false;
    for (const child of children) yield* sourcesIn(child, join(folder, entry.name));
  }
  if (isEmpty) yield { folder, name: entry.name, content: undefined };
}

async function* batchesOf(sources: AsyncIterable<Source>): AsyncGenerator<Source[]> {
  let batch: Source[] = [];
  for await (const source of sources) {
    batch.push(source);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry =>
  entry.isDirectory;

const join = (folder: string, path: string): string =>
  folder === "" || path === "" ? folder + path : `${folder}/${path}`;
