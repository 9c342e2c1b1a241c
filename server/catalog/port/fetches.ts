import type { Millis } from "../../domain/records.ts";

/** What is known of an upload that the server fills from a URL. */
export interface FetchRecord {
  /** The id of the upload. */
  readonly uploadId: string;
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Why it failed. */
  readonly error: string | null;
  /** When its process last noted that it works on it. */
  readonly at: Millis;
}

export interface FetchLedger {
  fetchOf(uploadId: string): Promise<FetchRecord | undefined>;
  saveFetches(fetches: readonly FetchRecord[]): Promise<void>;
  removeFetches(before: Millis): Promise<void>;
}
