import type { Holdall } from "../../../../sdk/src/holdall.ts";
import { readHandle } from "../choosing/file-sources.ts";
import { continueFiles, continueFolder } from "../continue.ts";
import type { FolderSources, Uploads } from "../engine.ts";
import type { Group } from "../group.ts";
import type { Item, Source } from "../item.ts";
import { askToRead, fileOf, isReadable } from "./file-handles.ts";

/** Continues a folder with its content now; batches that cannot be used any more are dropped. */
export function giveFolder(
  uploads: Uploads,
  client: Holdall,
  group: number,
  sources: FolderSources,
): void {
  for (const url of continueFolder(uploads.work, group, sources)) {
    client.batches.drop(url).catch(() => {});
  }
  uploads.run();
}

/** Continues with the files that the browser can read without asking. */
export async function readHandles(
  uploads: Uploads,
  client: Holdall,
  ids: ReadonlySet<number>,
): Promise<void> {
  const { work } = uploads;
  for (const { id, handle, state } of work.groups) {
    if (!ids.has(id) || state !== "interrupted" || handle === undefined) continue;
    if (await isReadable(handle)) await readFolderAgain(uploads, client, id, handle);
  }
  const sources: Source[] = [];
  for (const item of work.items) {
    if (!ids.has(item.id) || item.state !== "interrupted" || item.handle === undefined) continue;
    if (await isReadable(item.handle)) sources.push(...(await sourceOf(item)));
  }
  giveFiles(uploads, sources);
}

/** Asks the user for the permission to read what the browser has a handle of. false: not granted. */
export async function continueItem(uploads: Uploads, item: Item): Promise<boolean> {
  if (item.handle === undefined || !(await askToRead(item.handle))) return false;
  return giveFiles(uploads, await sourceOf(item)).length === 0;
}

export async function continueGroup(
  uploads: Uploads,
  client: Holdall,
  { id, handle }: Group,
): Promise<boolean> {
  if (handle === undefined || !(await askToRead(handle))) return false;
  return readFolderAgain(uploads, client, id, handle);
}

/** Continues interrupted files. Returns the files that belong to none. */
export function giveFiles(uploads: Uploads, sources: readonly Source[]): readonly Source[] {
  const rest = continueFiles(uploads.work, sources, true);
  if (rest.length < sources.length) uploads.run();
  return rest;
}

async function readFolderAgain(
  uploads: Uploads,
  client: Holdall,
  id: number,
  handle: FileSystemDirectoryHandle,
): Promise<boolean> {
  const group = uploads.work.group(id);
  if (group?.state !== "interrupted") return false;
  const sources = await readHandle(handle, group.folder).catch(() => undefined);
  if (sources === undefined) return false;
  giveFolder(uploads, client, id, sources);
  return true;
}

async function sourceOf({ folder, handle }: Item): Promise<Source[]> {
  const content = handle === undefined ? undefined : await fileOf(handle);
  return content === undefined ? [] : [{ folder, name: content.name, content, handle }];
}
