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
  traffic: {
    at: string;
    requests: number;
    bytes: number;
    errors: number;
    /** In the order of the statuses. */
    errorsByStatus: { status: number; requests: number }[];
  }[];
  /** Totals of as many hours right before the hours of `traffic`. */
  previous: { requests: number; bytes: number; errors: number };
  /** The ten files with the most requests since the start of a day (UTC), with most requests first. */
  mostRequested: {
    since: string;
    files: { file: FileObject; requests: number; bytes: number }[];
  };
}

export type Period = "day" | "week" | "month";
