import type { Millis } from "./records.ts";

export type Outcome = "done" | "failed";

/** Who performed the action. */
export interface Actor {
  /** link: a visitor of a link; none: an unauthenticated client; command: a CLI command; expiry: a file or link has ended. */
  readonly kind: "key" | "account" | "link" | "none" | "command" | "expiry";
  readonly id: string | null;
  /** The name at that time. */
  readonly name: string | null;
}

/** What the action was performed on. */
export interface Subject {
  readonly kind: "file" | "folder" | "key" | "account" | "session" | "link" | "webhook";
  readonly id: string | null;
  /** Before the action: the key of a file or folder, the name of an API key, the email of an account, the title of a link. */
  readonly name: string | null;
}

/** Further details. Never secrets. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** An action that was performed or refused. */
export interface NewActivity {
  readonly at: Millis;
  readonly action: string;
  readonly outcome: Outcome;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly actor: Actor;
  /** The client's IP address; null: a CLI command, or several clients. */
  readonly address: string | null;
  readonly subject: Subject | null;
  readonly detail: Detail;
}

export interface ActivityRecord extends NewActivity {
  /** Later records have greater ids. */
  readonly id: string;
}
