import { naturalName } from "../../../contract/text/natural-name.ts";
import { compareUtf8 } from "../../../contract/text/utf8-order.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { isPositionValue, positionAfter } from "../../domain/list-position.ts";
import { childKey, tryParseName } from "../../domain/names/name.ts";
import type {
  FileRecord,
  FolderRecord,
  Key,
  ListPosition,
  Name,
  Page,
} from "../../domain/records.ts";
import type { FolderView } from "../../files/find.ts";
import { readCursor, writeCursor } from "../api/handlers/cursor.ts";
import type { ShownEntry, ShownFile } from "./pages/folder-page.ts";

/** A part of a folder: first its subfolders, then its files, both in natural order. */
export interface FolderPart {
  readonly folders: readonly ShownEntry[];
  readonly files: readonly ShownFile[];
  /** The query parameters of the next part; undefined: this is the last. */
  readonly more: Readonly<Record<string, string>> | undefined;
}

const MAX_FOLDERS = 500;
const MAX_FILES = 96;
/** The order of the files. */
const ORDER = "naturalName";

/** Reads the part of a folder that the query asks for. Fault "invalid": its position is malformed. */
export async function readFolderPart(
  view: FolderView,
  path: Key,
  query: URLSearchParams,
): Promise<FolderPart> {
  const list = `shared ${view.folder.id}`;
  const after = query.get("after");
  if (after === null) {
    const found = await take(view.folders(folderIn(list, query)), MAX_FOLDERS + 1);
    const shown = found.slice(0, MAX_FOLDERS);
    // The catalog orders more than these by bytes, so only each part has its natural order.
    const folders = inNaturalOrder(shown).map((folder) => entry(path, folder));
    const last = shown.at(-1);
    if (found.length > MAX_FOLDERS && last !== undefined) {
      return { folders, files: [], more: { folders: writeCursor(list, [last.name]) } };
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
    orderBy: ORDER,
    direction: "ASC",
    offset: 0,
    limit: MAX_FILES + 1,
    ...(after === undefined ? {} : { after }),
  };
  const found = await take(view.files(page), MAX_FILES + 1);
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

/** The files around one in its folder. */
export interface Surroundings {
  /** Nearest last. */
  readonly before: readonly FileRecord[];
  /** Nearest first. */
  readonly after: readonly FileRecord[];
  /** Its place among the files, from 1; undefined: the folder has too many to count them. */
  readonly position: { readonly at: number; readonly of: number } | undefined;
}

const MAX_AROUND = 7;
/** So many files are read to find the place of one. */
const MAX_COUNTED = 1_000;

export async function readSurroundings(view: FolderView, file: FileRecord): Promise<Surroundings> {
  const page = { orderBy: ORDER, offset: 0 } as const;
  const first: Page = { ...page, direction: "ASC", limit: MAX_COUNTED + 1 };
  const all = await take(view.files(first), MAX_COUNTED + 1);
  const index = all.findIndex(({ id }) => id === file.id);
  if (all.length <= MAX_COUNTED && index >= 0) {
    return {
      before: all.slice(Math.max(0, index - MAX_AROUND), index),
      after: all.slice(index + 1, index + 1 + MAX_AROUND),
      position: { at: index + 1, of: all.length },
    };
  }
  const nearest = (direction: "ASC" | "DESC"): Promise<FileRecord[]> => {
    const after = positionAfter(file, ORDER);
    return take(view.files({ ...page, direction, limit: MAX_AROUND, after }), MAX_AROUND);
  };
  const before = (await nearest("DESC")).toReversed();
  return { before, after: await nearest("ASC"), position: undefined };
}

function inNaturalOrder(folders: readonly FolderRecord[]): FolderRecord[] {
  const keyed = folders.map((folder) => ({ folder, key: naturalName(folder.name) }));
  return keyed.sort((one, other) => compareUtf8(one.key, other.key)).map(({ folder }) => folder);
}

const entry = (path: Key, { name }: FolderRecord | FileRecord): ShownEntry => ({
  name,
  path: name === "" ? path : childKey(path, name),
});

/** The list of the files: a position in another order is none in this one. */
const filesOf = (list: string): string => `${list} ${ORDER}`;

function cursorAfter(list: string, file: FileRecord): string {
  const { value, id } = positionAfter(file, ORDER);
  return writeCursor(filesOf(list), [value, id]);
}

function positionIn(list: string, cursor: string): ListPosition {
  const [value = null, id, ...more] = readCursor(filesOf(list), cursor, staleCursor);
  if (typeof id !== "string" || more.length > 0 || !isPositionValue(value, ORDER)) {
    throw staleCursor();
  }
  return { value, id };
}

/** The folder after which the list goes on; undefined: from the first. */
function folderIn(list: string, query: URLSearchParams): Name | undefined {
  const cursor = query.get("folders");
  if (cursor === null) return undefined;
  const [name, ...more] = readCursor(list, cursor, staleCursor);
  const last = typeof name === "string" && more.length === 0 ? tryParseName(name) : undefined;
  if (last === undefined) throw staleCursor();
  return last;
}

const staleCursor = (): Fault =>
  new Fault("invalid", "The address must be the one that the page before links to.");

/** At most `limit` elements. */
async function take<T>(batches: AsyncIterable<T[]>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const batch of batches) {
    taken.push(...batch.slice(0, limit - taken.length));
    if (taken.length >= limit) break;
  }
  return taken;
}
