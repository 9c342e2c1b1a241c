import type { Visibility } from "./files.ts";

/** A file or folder in the trash. Its id is the one it had, and has again after a restore. */
export interface TrashItem {
  id: string;
  kind: "file" | "folder";
  name: string;
  /** Where it was, with the current names of folders that were renamed or moved since. */
  key: string;
  /** In bytes; of a folder, all files inside. null: not counted. */
  size: number | null;
  /** The files in a folder. null for a file, and if they are not counted. */
  files: number | null;
  /** null for a folder. */
  visibility: Visibility | null;
  /** null for a folder. */
  mimeType: string | null;
  /** All items of one deletion have the same. */
  undoId: string;
  deletedAt: string;
  /** The name of the API key or account. null: unknown, or hidden from the caller. */
  deletedBy: string | null;
  /** From when on it may be deleted permanently. */
  expiresAt: string;
}

export interface TrashTotals {
  items: number;
  /** Including those in folders. */
  files: number;
  bytes: number;
}

export interface TrashPage {
  /** Latest deletion first. */
  items: TrashItem[];
  /** The totals of the whole trash, or of the given deletion. */
  totals: TrashTotals;
  /** null on the last page. */
  nextCursor: string | null;
}

export interface RestoredItem {
  id: string;
  kind: "file" | "folder";
  /** Where it is now. */
  key: string;
  /** Its name was taken, so that it got another. */
  renamed: boolean;
}

export interface RestoreResult {
  restored: RestoredItem[];
  failed: { id: string; reason: string }[];
}
