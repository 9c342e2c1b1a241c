import { isDirectory, readEntry } from "../../../../sdk/src/uploads/dropped-files.ts";
import type { FolderSources } from "../engine.ts";
import { joinKey, type Source } from "../item.ts";
import { handleOf, isFileHandle, isFolderHandle } from "../records/file-handles.ts";

/** A dropped or picked folder, not read yet. */
export interface FolderToRead {
  readonly name: string;
  /** The handle with which the browser finds it again, if it can. */
  readonly handle: Promise<FileSystemDirectoryHandle | undefined>;
  /** Reads it. `onFound` is called with the number of files so far. */
  read(onFound: (files: number) => void): Promise<FolderSources>;
}

/** The files and folders that the user drops, picks or pastes at once. */
export interface Delivery {
  /** The key of the target folder. */
  readonly folder: string;
  readonly files: Promise<readonly Source[]>;
  readonly folders: readonly FolderToRead[];
}

/** The dropped files and folders. Must be called during the drop event; the result can be used later. */
export function droppedFiles(data: DataTransfer, folder: string): Delivery {
  const files: Promise<Source>[] = [];
  const folders: FolderToRead[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    const handle = handleOf(item);
    if (entry !== null && isDirectory(entry)) folders.push(folderOf(entry, folder, handle));
    else if (file !== null) files.push(sourceOf(file, folder, handle));
  }
  return { folder, files: Promise.all(files), folders };
}

/** The files of a file picker; those with paths are the content of a picked folder. */
export function pickedFiles(files: Iterable<File>, folder: string): Delivery {
  const single: Source[] = [];
  const byFolder = new Map<string, Source[]>();
  for (const file of files) {
    const [top, ...path] = file.webkitRelativePath.split("/").slice(0, -1);
    const key = joinKey(folder, [top, ...path].join("/"));
    const source = { folder: top === undefined ? folder : key, name: file.name, content: file };
    if (top === undefined) {
      single.push(source);
      continue;
    }
    const sources = byFolder.get(top) ?? [];
    sources.push(source);
    byFolder.set(top, sources);
  }
  const folders = [...byFolder].map(([name, sources]) => ({
    name,
    handle: Promise.resolve(undefined),
    read: async () => ({ files: sources, emptyFolders: [] }),
  }));
  return { folder, files: Promise.resolve(single), folders };
}

export const looseFiles = (folder: string, files: readonly Source[]): Delivery => ({
  folder,
  files: Promise.resolve(files),
  folders: [],
});

async function sourceOf(
  content: File,
  folder: string,
  handle: Promise<FileSystemHandle | undefined>,
): Promise<Source> {
  const found = await handle;
  return { folder, name: content.name, content, handle: isFileHandle(found) ? found : undefined };
}

function folderOf(
  entry: FileSystemDirectoryEntry,
  folder: string,
  handle: Promise<FileSystemHandle | undefined>,
): FolderToRead {
  return {
    name: entry.name,
    handle: handle.then((found) => (isFolderHandle(found) ? found : undefined)),
    read: (onFound) => collect(readDropped(entry, folder), onFound),
  };
}

/** Reads a folder again, for which the browser has kept a handle. */
export const readHandle = (
  handle: FileSystemDirectoryHandle,
  folder: string,
): Promise<FolderSources> => collect(readFolderHandle(handle, folder), () => {});

/** A file, or the key of an empty folder. */
type Found = Source | string;

async function collect(
  found: AsyncIterable<Found>,
  onFound: (files: number) => void,
): Promise<FolderSources> {
  const files: Source[] = [];
  const emptyFolders: string[] = [];
  for await (const each of found) {
    if (typeof each === "string") emptyFolders.push(each);
    else files.push(each);
    onFound(files.length);
  }
  return { files, emptyFolders };
}

async function* readDropped(
  entry: FileSystemDirectoryEntry,
  parent: string,
): AsyncGenerator<Found> {
  for await (const { folder, file } of readEntry(entry, joinKey(parent, entry.name))) {
    yield file === undefined ? folder : { folder, name: file.name, content: file };
  }
}

async function* readFolderHandle(
  handle: FileSystemDirectoryHandle,
  parent: string,
): AsyncGenerator<Found> {
  const folder = joinKey(parent, handle.name);
  let isEmpty = true;
  for await (const child of handle.values()) {
    isEmpty = false;
    if (isFolderHandle(child)) yield* readFolderHandle(child, folder);
    else if (isFileHandle(child)) {
      yield { folder, name: child.name, content: await child.getFile() };
    }
  }
  if (isEmpty) yield folder;
}
