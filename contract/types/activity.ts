import type { Action } from "../activity.ts";

/** An entry in the audit log. */
export interface ActivityObject {
  id: string;
  at: string;
  /** The id of an operation of the API, such as `uploadFiles`, or of a command-line action. */
  action: Action;
  outcome: "done" | "failed";
  /** HTTP status of the response. */
  status: number;
  actor: {
    /** link: somebody who uses a link. */
    kind: "key" | "account" | "link" | "none" | "command";
    id: string | null;
    /** At the time of the request. */
    name: string | null;
  };
  /** null for the command line and for entries that cover several clients. */
  address: string | null;
  subject: {
    kind: "file" | "folder" | "key" | "account" | "session" | "link";
    id: string | null;
    /** Key of the file or folder before the request. */
    key: string | null;
    /** Name of the API key, email address of the account, or title of the link. */
    name: string | null;
  } | null;
  /** The requested changes, counts and sizes, and the `message` of a failure. */
  detail: Record<string, string | number | boolean | null>;
}

export interface ActivityParameters {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  action?: Action;
  /** The id of an API key or an account. */
  actor?: string;
  /** The id of what the entries are about. */
  subject?: string;
  outcome?: "done" | "failed";
  /** Inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  since?: string;
  /** Exclusive. */
  until?: string;
}
