import type { FileObject, FolderObject } from "../../../sdk/src/holdall.ts";
import { bytesText } from "../../../server/terminal/amounts.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireEntry } from "../find-entry.ts";
import type { RemoteSession } from "../run-remote.ts";

const PAGE_SIZE = 1_000;

/** `ls [KEY]`: lists a folder, its subfolders first, or shows a file. Memory does not grow with it. */
export async function listRemote(
  { holdall, output, signal }: RemoteSession,
  rest: readonly string[],
): Promise<number> {
  const [key = "", ...more] = rest;
  if (more.length > 0) throw new UsageError("`ls` takes one key or none.");
  const entry = await requireEntry(holdall, key, signal);
  if (entry.type === "file") {
    await output.print({ type: "file", ...entry.file }, fileText(entry.file));
    return exitCodes.done;
  }
  const options = { orderBy: "name", orderDirection: "ASC", limit: PAGE_SIZE, signal } as const;
  for await (const page of holdall.folders.pages({ id: entry.folder.id }, options)) {
    for (const folder of page.folders) {
      await output.print({ type: "folder", ...folder }, folderText(folder));
    }
    for (const file of page.files) await output.print({ type: "file", ...file }, fileText(file));
  }
  return exitCodes.done;
}

const fileText = ({ size, updatedAt, visibility, name }: FileObject): string =>
  line(bytesText(size), updatedAt, visibility, name);

const folderText = ({ updatedAt, name }: FolderObject): string =>
  line("-", updatedAt, "", `${name}/`);

const line = (size: string, updatedAt: string, visibility: string, name: string): string =>
  `${size.padStart(10)}  ${updatedAt}  ${visibility.padEnd(7)}  ${name}`;
