import type { Actor, Outcome, Subject } from "../../domain/activity.ts";
import type { Millis } from "../../domain/records.ts";

export interface ActivityTable {
  id: string;
  at: Millis;
  action: string;
  outcome: Outcome;
  status: number;
  actor_kind: Actor["kind"];
  actor_id: string | null;
  actor_name: string | null;
  address: string | null;
  subject_kind: Subject["kind"] | null;
  subject_id: string | null;
  subject_name: string | null;
  /** JSON. */
  detail: string;
}

export interface TrafficTable {
  /** The beginning of the hour. */
  hour: Millis;
  requests: number;
  bytes: number;
  errors: number;
}

export interface KeyTrafficTable {
  /** The day in UTC, such as "2026-01-31", a space, and the id of the key. */
  id: string;
  /** The id of an API key, which may have been revoked since. */
  key_id: string;
  requests: number;
  bytes: number;
  errors: number;
}

export interface TrafficErrorsTable {
  /** The hour in UTC, such as "2026-01-31T09", a space, and the status. */
  id: string;
  /** The beginning of the hour. */
  hour: Millis;
  status: number;
  requests: number;
}

export interface FileTrafficTable {
  /** The day in UTC, such as "2026-01-31", a space, and the id of the file. */
  id: string;
  /** The id of a file, which may have been deleted since. */
  file_id: string;
  requests: number;
  bytes: number;
  /** See `FileDayTraffic`. */
  weight: number;
}
