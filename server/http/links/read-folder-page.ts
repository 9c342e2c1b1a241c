import type { FolderView } from "../../files/find.ts";
import { Fault } from "../../rules/fault.ts";
import { isPositionValue, positionAfter } from "../../rules/list-position.ts";
import { childKey } from "../../rules/name.ts";
import type {
  FileRecord,
  FolderRecord,
  Key,
  ListPosition,
  Name,
  Page,
} from "../../rules/records.ts";
import { readCursor, writeCursor } from "../handlers/cursor.ts";
import type { ShownEntry, ShownFile } from "./pages/folder-page.ts";

/** A part of a folder: first its subfolders, then its files, both by name. */
export interface FolderPart {
  readonly folders: readonly ShownEntry[];
  readonly files: readonly ShownFile[];
  /** The query parameters of the next part; undefined: this is the last. */
  readonly more: Readonly<Record<string, string>> | undefined;
}

const MAX_FOLDERS = 500;
const MAX_FILES = 96;

/** Reads the part of a folder that the query asks for. Fault "invalid": its position is malformed. */
export async function readFolderPart(
  view: FolderView,
  path: Key,
  query: URLSearchParams,
): Promise<FolderPart> {
  const list = `shared ${view.folder.id}`;
  const after = query.get("after");
  if (after === null) {
    const from = Math.max(0, Math.trunc(Number(query.get("folders") ?? 0)) || 0);
    const found = await take(view.folders(), from, MAX_FOLDERS + 1);
    const folders = found.slice(0, MAX_FOLDERS).map((folder) => entry(path, folder));
    if (found.length > MAX_FOLDERS) {
      return { folders, files: [], more: { folders: String(from + MAX_FOLDERS) } };
    }
    return { folders, ...(await readFiles(view, path, list, undefined)) };
  }
  return { folders: [], ...(await readFiles(view, path, list, positionIn(list, after))) };
}

async function readFiles(
  view: FolderView,
  path: Key,
  list: string,
  after: ListPosition | undefined,
): Promise<Pick<FolderPart, "files" | "more">> {
  const page: Page = {
    orderBy: "name",
    direction: "ASC",
    offset: 0,
    limit: MAX_FILES + 1,
    ...(after === undefined ? {} : { after }),
  };
  const found = await take(view.files(page), 0, MAX_FILES + 1);
  const files = found.slice(0, MAX_FILES);
  const last = files.at(-1);
  return {
    files: files.map((file) => ({ ...file, ...entry(path, file) })),
    more:
      found.length > MAX_FILES && last !== undefined
        ? { after: cursorAfter(list, last) }
        : undefined,
  };
}

/** The names of the files before and after this one in its folder. */
export async function readNeighbours(
  view: FolderView,
  file: FileRecord,
): Promise<{ readonly previous: Name | undefined; readonly next: Name | undefined }> {
  const first = async (direction: "ASC" | "DESC"): Promise<Name | undefined> => {
    const after = positionAfter(file, "name");
    const page = { orderBy: "name", direction, offset: 0, limit: 1, after } as const;
    return (await take(view.files(page), 0, 1))[0]?.name;
  };
  return { previous: await first("DESC"), next: await first("ASC") };
}

const entry = (path: Key, { name }: FolderRecord | FileRecord): ShownEntry => ({
  name,
  path: name === "" ? path : childKey(path, name),
});

function cursorAfter(list: string, file: FileRecord): string {
  const { value, id } = positionAfter(file, "name");
  return writeCursor(list, [value, id]);
}

function positionIn(list: string, cursor: string): ListPosition {
  const [value = null, id, ...more] = readCursor(list, cursor, staleCursor);
  if (typeof id !== "string" || more.length > 0 || !isPositionValue(value, "name")) {
    throw staleCursor();
  }
  return { value, id };
}

const staleCursor = (): Fault =>
  new Fault("invalid", "`after` must be the position that the page before links to.");

/** The elements from `start` on, at most `limit`. */
async function take<T>(batches: AsyncIterable<T[]>, start: number, limit: number): Promise<T[]> {
  const taken: T[] = [];
  let position = 0;
  for await (const batch of batches) {
    for (const each of batch) {
      if (position >= start) taken.push(each);
      position += 1;
      if (taken.length >= limit) return taken;
    }
  }
  return taken;
}
