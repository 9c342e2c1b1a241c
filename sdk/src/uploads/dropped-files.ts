import type { FolderFile } from "./folder-items.ts";

export interface DroppedFile extends FolderFile {
  readonly content: File;
}

/** A file of a dropped folder; without `file`, an empty folder. */
export interface DroppedEntry {
  /** The path of the folder that it is in; of an empty folder, its own. */
  readonly folder: string;
  readonly file: File | undefined;
}

/**
 * The dropped files, and those of dropped folders with their paths, which `uploadFolder` takes. Call it during
 * the event; the result can be read later. Empty folders are left out.
 */
export function droppedFiles(data: DataTransfer): AsyncIterable<DroppedFile> {
  const entries: FileSystemDirectoryEntry[] = [];
  const files: File[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry !== null && isDirectory(entry)) entries.push(entry);
    else if (file !== null) files.push(file);
  }
  return (async function* () {
    for (const file of files) yield { path: file.name, content: file };
    for (const entry of entries) {
      for await (const { folder, file } of readEntry(entry, entry.name)) {
        if (file !== undefined) yield { path: `${folder}/${file.name}`, content: file };
      }
    }
  })();
}

/** Everything in a dropped folder, which has this path. */
export async function* readEntry(
  entry: FileSystemDirectoryEntry,
  folder: string,
): AsyncGenerator<DroppedEntry> {
  const reader = entry.createReader();
  let isEmpty = true;
  for (;;) {
    // Returns up to 100 entries at a time; an empty list is the end.
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (children.length === 0) break;
    isEmpty = false;
    for (const child of children) {
      if (isDirectory(child)) yield* readEntry(child, `${folder}/${child.name}`);
      else if (isFile(child)) yield { folder, file: await contentOf(child) };
    }
  }
  if (isEmpty) yield { folder, file: undefined };
}

const contentOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

export const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry =>
  entry.isDirectory;
