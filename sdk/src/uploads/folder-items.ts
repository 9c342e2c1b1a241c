import { failing, HoldallError } from "../connection/error.ts";
import { fileSystem } from "../files/local-file.ts";
import { requireSliced } from "../files/sliced-source.ts";
import type { Named } from "../files/upload-source.ts";

/** A file of a folder to upload. */
export interface FolderFile extends Omit<Named, "name"> {
  /** Its path below the target folder, such as `assets/site.css`. */
  readonly path: string;
}

/**
 * The path of a local folder, on runtimes with a file system; or files, such as the `FileList` of an
 * `<input type="file" webkitdirectory>`, whose files have their paths.
 */
export type FolderSource = string | Iterable<FolderFile | File> | AsyncIterable<FolderFile | File>;

/** A file of a folder as it is uploaded. */
export interface FolderItem {
  /** Relative to the target folder, without a leading slash; "" for the target folder. */
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  /** undefined: unknown. */
  readonly modified: number | undefined;
  readonly content: Named;
}

export const MAX_BATCH_FILES = 10_000;

/** Called for each entry that is not uploaded, such as a symbolic link. */
export type OnSkipped = (path: string, reason: string) => void;

export interface FolderContent {
  readonly items: FolderItem[];
  /** The paths of the local folders with nothing in them; "" is the folder itself. */
  readonly emptyFolders: readonly string[];
}

/** Lists the content of a folder. Throws if there is too much, or if two files have one path. */
export async function readFolder(
  source: FolderSource,
  onSkipped: OnSkipped,
): Promise<FolderContent> {
  const items: FolderItem[] = [];
  const emptyFolders: string[] = [];
  const paths = new Set<string>();
  for await (const item of typeof source === "string"
    ? localItems(source, onSkipped, emptyFolders)
    : givenItems(source)) {
    const path = itemPath(item);
    if (paths.has(path)) throw new HoldallError(400, `Two files have the path ${path}.`);
    paths.add(path);
    items.push(item);
    if (items.length > MAX_BATCH_FILES) {
      throw new HoldallError(
        413,
        `The folder has more than 10,000 files: upload its subfolders one by one.`,
      );
    }
  }
  return { items, emptyFolders };
}

/** The path of an item, in the Unicode form in which the server stores it. */
export const itemPath = ({ folder, name }: Pick<FolderItem, "folder" | "name">): string =>
  (folder === "" ? name : `${folder}/${name}`).normalize("NFC");

/** A `File` of a browser's folder has its path. */
export const withPath = (file: FolderFile | File): FolderFile =>
  file instanceof File ? { path: file.webkitRelativePath || file.name, content: file } : file;

async function* givenItems(
  files: Iterable<FolderFile | File> | AsyncIterable<FolderFile | File>,
): AsyncGenerator<FolderItem> {
  for await (const file of files) {
    const { path, ...content } = withPath(file);
    const { size, modified } = await requireSliced({ ...content, name: path });
    const segments = path.split("/").filter((segment) => segment !== "");
    const name = segments.pop();
    if (!name) throw new HoldallError(400, "A file has an empty path.");
    yield { folder: segments.join("/"), name, size, modified, content: { ...content, name } };
  }
}

async function* localItems(
  root: string,
  onSkipped: OnSkipped,
  emptyFolders: string[],
  folder = "",
  parentMovedAt = 0,
): AsyncGenerator<FolderItem> {
  const { stat, opendir, join } = await fileSystem(root);
  const here = folder === "" ? root : join(root, folder);
  // A folder that was moved to this path meanwhile has other files, with older times.
  const movedAt = Math.max(parentMovedAt, await statusChangedAt(here));
  const subfolders: string[] = [];
  let isEmpty = true;
  const directory = await opendir(here).catch(failing(`The folder ${here} cannot be read.`));
  for await (const entry of directory) {
    isEmpty = false;
    const { name } = entry;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (entry.isDirectory()) subfolders.push(path);
    else if (!entry.isFile()) {
      onSkipped(path, entry.isSymbolicLink() ? "a symbolic link" : "not a file");
    } else {
      const file = join(here, name);
      const { size, mtimeMs, ctimeMs } = await stat(file).catch(
        failing(`The file ${file} cannot be read: it is gone, or its name is not UTF-8.`),
      );
      // Another file with an older time may have been moved to this path meanwhile.
      const modified = Math.max(mtimeMs, ctimeMs, movedAt);
      yield { folder, name, size, modified, content: { content: { path: file }, name } };
    }
  }
  if (isEmpty) emptyFolders.push(folder);
  for (const subfolder of subfolders) {
    yield* localItems(root, onSkipped, emptyFolders, subfolder, movedAt);
  }

  /** When the folder was last moved, or its rights changed; 0: its entries have changed since then. */
  async function statusChangedAt(path: string): Promise<number> {
    const { ctimeMs, mtimeMs } = await stat(path).catch(() => ({ ctimeMs: 0, mtimeMs: 0 }));
    return ctimeMs > mtimeMs ? ctimeMs : 0;
  }
}
