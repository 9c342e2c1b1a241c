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

export interface CountersTable {
  /** The kind, the start of the period in ISO 8601 and the subject, with spaces in between. */
  id: string;
  subject: string;
  requests: number;
  bytes: number;
  errors: number;
  weight: number;
}
