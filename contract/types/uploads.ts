import type { Visibility } from "./files.ts";

/** A resumable upload. */
export interface UploadObject {
  id: string;
  /** Relative to the base URL. Anyone who has it may use the upload. Only known when it is created. */
  url: string;
  /** Where the file will be; in a batch: relative to the folder of the batch. */
  folder: string;
  /** null: the sender names the file. */
  name: string | null;
  /** In bytes; null: not known yet. */
  size: number | null;
  /** The bytes that are stored. */
  offset: number;
  /** In bytes. */
  maxSize: number;
  /** The allowed media types; empty: all. */
  types: string[];
  /** null: the default. */
  visibility: Visibility | null;
  expiresAt: string;
}

/** An open upload of a batch. */
export type BatchUpload = Pick<UploadObject, "id" | "folder" | "name" | "size" | "offset">;

/** Files that appear together. */
export interface BatchObject {
  id: string;
  state: "open" | "committed";
  folder: string;
  /** null: the default. */
  visibility: Visibility | null;
  onConflict: "refuse" | "replace" | "keepBoth" | "skip";
  /** The complete files. */
  files: number;
  /** The sum of their sizes. */
  bytes: number;
  /** null: not committed yet. */
  result: BatchResult | null;
  createdAt: string;
  expiresAt: string;
}

/** All numbers together are the files of the batch. */
export interface BatchResult {
  added: number;
  replaced: number;
  skipped: number;
  committedAt: string;
}

/** A complete file of a batch. */
export interface BatchMember {
  /** Relative to the folder of the batch. */
  folder: string;
  name: string;
  size: number;
  mimeType: string;
  /** Lower-case hexadecimal. */
  sha256: string | null;
}
