import type { Millis } from "./records.ts";

export type Outcome = "done" | "failed";

/** Who did it. */
export interface Actor {
  /** none: nobody who had shown who they are; command: somebody on the machine itself. */
  readonly kind: "key" | "account" | "none" | "command";
  readonly id: string | null;
  /** As it was at the time. */
  readonly name: string | null;
}

/** What it was done to. */
export interface Subject {
  readonly kind: "file" | "folder" | "key" | "account" | "session";
  readonly id: string | null;
  /** As it was before: the key of a file or folder, the name of an API key, the email address of an account. */
  readonly name: string | null;
}

/** What else there is to tell. No secrets. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** Something that was done, or was refused. */
export interface NewActivity {
  readonly at: Millis;
  readonly action: string;
  readonly outcome: Outcome;
  /** Of the answer, as in HTTP. */
  readonly status: number;
  readonly actor: Actor;
  /** The client's; null: it came from the machine itself, or from many. */
  readonly address: string | null;
  readonly subject: Subject | null;
  readonly detail: Detail;
}

export interface ActivityRecord extends NewActivity {
  /** Ids of later ones are greater. */
  readonly id: string;
}
