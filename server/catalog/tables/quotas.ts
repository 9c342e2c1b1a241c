import type { Millis } from "../../domain/records.ts";

/** The limits of a folder directly below the root, and how much of them is used. */
export interface QuotasTable {
  folder_id: string;
  /** null: no limit. Without any limit, the row only counts. */
  max_bytes: number | null;
  max_files: number | null;
  /** The sizes of all contents of the folder: see `contentsOf`. */
  used_bytes: number;
  /** The number of them. */
  used_files: number;
  /** Changes with every recount, so that only one of two recounts at the same time corrects the numbers. */
  recounts: number;
  /** When they were last recounted; null: they must be, as a change could not count all that it moved. */
  counted_at: Millis | null;
}
