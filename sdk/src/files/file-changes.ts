import type {
  FileObject,
  FilesChanged,
  MetadataChange,
  Visibility,
} from "../../../contract/api.ts";
import { call } from "../connection/call.ts";
import { incomplete } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import { type FileSelector, fileQuery } from "./file-selector.ts";
import { placeOf } from "./folder-of-key.ts";
import type { OnConflict } from "./upload.ts";

export interface Change {
  readonly name?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/** The action if the new name is already taken in the folder. */
export interface ConflictOptions {
  /**
   * Default: "refuse". "replace" deletes the file that has the name; "skip" leaves the file that moves as it
   * is.
   */
  readonly onConflict?: OnConflict | undefined;
  /** Whether a replaced file goes to the trash. Default: the server's setting `trashDeletions`. */
  readonly trash?: boolean | undefined;
}

/** When a file ends. null: never. At most one of the two. */
export interface FileEnd {
  /** In seconds. */
  readonly expiresIn?: number | null | undefined;
  /** UTC, or ISO 8601. */
  readonly expiresAt?: string | null | undefined;
}

export interface FileChange extends Change, ConflictOptions, FileEnd {
  /** The id of the folder to move it to. */
  readonly folderId?: string | undefined;
  /** Fields that are left out stay; null removes a field, or all of them. */
  readonly metadata?: MetadataChange | null | undefined;
}

/** The file after a change. */
export interface ChangedFile extends FileObject {
  /** Restores the file that it replaced, with `trash.restore`. undefined: there is none, or not in the trash. */
  readonly undoId?: string;
}

/** A change of several files has at least a visibility, a folder or an end. */
export type FilesChange = Omit<FileChange, "name" | "metadata">;

/** A folder to move to, by its id. */
export interface MoveTarget {
  readonly folderId: string;
}

export interface MoveOptions extends ConflictOptions, CallOptions {}

/** Changes of files that keep their ids. */
export interface FileChanges {
  /** Changes the name, visibility, folder, metadata or end, or several of them at once. */
  update(file: FileSelector, change: FileChange, options?: CallOptions): Promise<ChangedFile>;
  /**
   * Moves at most 5,000 files, or sets their visibility, in one transaction. Those that do not exist, or
   * whose name is taken in the folder, stay as they are, and are in `failed`, unless `onConflict` is set. 404: none of the files exists.
   */
  updateMany(
    ids: readonly string[],
    change: FilesChange,
    options?: CallOptions,
  ): Promise<FilesChanged>;
  /** Changes the key and the URL. */
  rename(file: FileSelector, name: string, options?: CallOptions): Promise<FileObject>;
  /**
   * Moves the file to a key, whose folders are created if they are missing, or to a folder. Changes the URL
   * too. 409: the name is already taken there, and `onConflict` is not set.
   */
  move(file: FileSelector, to: string | MoveTarget, options?: MoveOptions): Promise<ChangedFile>;
  setVisibility(
    file: FileSelector,
    visibility: Visibility,
    options?: CallOptions,
  ): Promise<FileObject>;
}

export function createFileChanges(transport: Transport): FileChanges {
  const update: FileChanges["update"] = async (file, change, { signal } = {}) => {
    const body = { ...change, ...fileQuery(file) };
    const data = await call(transport, "changeFile", { body, signal });
    // `ids` would get `files`.
    if (!("file" in data)) throw incomplete();
    return data.undoId ? { ...data.file, undoId: data.undoId } : data.file;
  };

  return {
    update,
    async updateMany(ids, change, { signal } = {}) {
      const body = { ...change, ids };
      const data = await call(transport, "changeFile", { body, signal });
      return "files" in data ? data : { files: [data.file], failed: [], undoId: data.undoId };
    },
    rename: (file, name, options) => update(file, { name }, options),
    async move(file, to, { signal, onConflict, trash } = {}) {
      const place = typeof to === "string" ? await placeOf(transport, to, { signal }) : to;
      return update(file, { ...place, onConflict, trash }, { signal });
    },
    setVisibility: (file, visibility, options) => update(file, { visibility }, options),
  };
}
