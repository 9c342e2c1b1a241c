/** What to do if the name is taken; "ask" until the user has decided. */
export type ConflictDecision = "ask" | "replace" | "keepBoth";

/**
 * - waiting: queued. sending: in progress. done: stored.
 * - taken: the name is taken, and the user has to decide.
 * - failed: refused, with the reason in `message`. skipped, cancelled: by the user.
 */
export type ItemState =
  | "waiting"
  | "sending"
  | "done"
  | "taken"
  | "failed"
  | "skipped"
  | "cancelled";

/** A file to upload, or an empty folder to create. */
export interface Item {
  readonly id: number;
  /** The key of the target folder. */
  readonly folder: string;
  readonly name: string;
  /** Undefined for a folder. */
  readonly content: Blob | undefined;
  readonly size: number;
  readonly state: ItemState;
  /** Bytes sent. */
  readonly sent: number;
  /** Bytes per second, if known. */
  readonly speed: number | undefined;
  readonly decision: ConflictDecision;
  /** The reason of a failure. */
  readonly message: string | undefined;
  /** An attempt was interrupted, so the file may already be stored. */
  readonly mayBeStored: boolean;
  /** Interrupted attempts while the server was reachable. */
  readonly interruptions: number;
  /** Sent in a request of its own, because a bundle with it was refused for an unknown reason. */
  readonly sendAlone: boolean;
}

/** A picked, dropped or pasted file, or an empty folder. */
export interface Source {
  readonly folder: string;
  readonly name: string;
  readonly content: Blob | undefined;
}

export const itemOf = (id: number, { folder, name, content }: Source): Item => ({
  id,
  folder,
  name,
  content,
  size: content?.size ?? 0,
  state: "waiting",
  sent: 0,
  speed: undefined,
  decision: "ask",
  message: undefined,
  mayBeStored: false,
  interruptions: 0,
  sendAlone: false,
});
