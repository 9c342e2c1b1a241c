import type { FileObject } from "../../../contract/api.ts";
import type { Transport } from "../connection/transport.ts";
import type { FolderSource } from "../uploads/folder-items.ts";
import { type UploadFileOptions, uploadFile } from "../uploads/upload-file.ts";
import {
  type UploadedFolder,
  type UploadFolderOptions,
  uploadFolder,
} from "../uploads/upload-folder.ts";
import { createFileCalls, type FileCalls } from "./file-calls.ts";
import { splitKey } from "./folder-of-key.ts";
import { type OnConflict, type UploadOptions, upload } from "./upload.ts";
import { type Named, named, type Source } from "./upload-source.ts";

export interface UploadOneOptions extends UploadFileOptions, Omit<Named, "content"> {}

/** Options with which a file is stored or the call fails. */
export interface StoreOneOptions extends UploadOneOptions {
  readonly onConflict?: Exclude<OnConflict, "skip"> | undefined;
}

/** The key has the folder and the name. */
export type PutOptions = Omit<StoreOneOptions, "folder" | "name">;

/** Stored files. Every method throws a `HoldallError` if the request fails. */
export interface Files extends FileCalls {
  /**
   * Uploads a file. A large one goes over several requests, and continues after interruptions where it
   * ended. 409: the name is already taken in the folder, and `onConflict` is not set.
   */
  upload(content: Source, options?: StoreOneOptions): Promise<FileObject>;
  /** Uploads a file. undefined: the name is taken, and `onConflict: "skip"` skipped the file. */
  upload(content: Source, options: UploadOneOptions): Promise<FileObject | undefined>;
  /**
   * Stores content, or text, at a key. Replaces the file that has the key, unless `onConflict` says something
   * else. Missing folders are created.
   */
  put(key: string, content: Source | string, options?: PutOptions): Promise<FileObject>;
  /** Uploads all files in one request: all appear or none. Returns them in order, without skipped ones. */
  uploadMany(files: readonly (Source | Named)[], options?: UploadOptions): Promise<FileObject[]>;
  /**
   * Uploads a folder as a batch: all files appear together in one transaction, over any number of
   * interrupted requests, or none. At most 10,000 files. 409: a name is taken, and `onConflict` is not
   * set.
   */
  uploadFolder(source: FolderSource, options?: UploadFolderOptions): Promise<UploadedFolder>;
}

export function createFiles(transport: Transport): Files {
  function uploadOne(content: Source, options?: StoreOneOptions): Promise<FileObject>;
  function uploadOne(content: Source, options: UploadOneOptions): Promise<FileObject | undefined>;
  function uploadOne(
    content: Source,
    options: UploadOneOptions = {},
  ): Promise<FileObject | undefined> {
    return uploadFile(transport, { ...options, content }, options);
  }

  return {
    ...createFileCalls(transport),
    upload: uploadOne,
    put(key, content, options = {}) {
      const source =
        typeof content === "string" ? new Blob([content], { type: "text/plain" }) : content;
      return uploadOne(source, { onConflict: "replace", ...options, ...splitKey(key) });
    },
    uploadFolder: (source, options = {}) => uploadFolder(transport, source, options),
    uploadMany: (files, options = {}) => upload(transport, files.map(named), options),
  };
}
