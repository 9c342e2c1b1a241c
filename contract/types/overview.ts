import type { FileObject } from "./files.ts";

export type MediaKind = "image" | "video" | "audio" | "document" | "text" | "archive" | "other";

export interface OverviewObject {
  /** `used` and `free` in bytes; `free` is null if unknown. */
  storage: {
    used: number;
    free: number | null;
    files: number;
    folders: number;
    /** Bytes in the trash. */
    trash: number;
    /** Bytes of replaced content. null: the API key is limited to a folder. */
    versions: number | null;
  };
  /** Every type, including types without files. */
  types: { type: MediaKind; files: number; bytes: number }[];
  largest: FileObject[];
  newest: FileObject[];
  /** By hour, or by day for a month, from the oldest to now. */
  traffic: { at: string; requests: number; bytes: number; errors: number }[];
  /** Totals of as many hours right before those of `traffic`. */
  previous: { requests: number; bytes: number; errors: number };
}

export type Period = "day" | "week" | "month";
