import type { BlobId, Millis } from "../../domain/records.ts";

export interface BlobLeasesTable {
  block: number;
  /** "" once the lease is released. */
  owner: string;
  /** Milliseconds of the lease clock, which need not be the time of day. */
  heartbeat: number;
}

export interface CondemnedTable {
  blob_id: BlobId;
  condemned_at: Millis;
}

export interface HoldsTable {
  owner: string;
  /** As in `BlobLeasesTable`. */
  heartbeat: number;
}
