/** What becomes of the file where its name is taken; "ask" until somebody has said. */
export type Decision = "ask" | "replace" | "keepBoth";

/**
 * - waiting: for its turn. sending: on its way. done: stored.
 * - taken: the name is there already, and somebody has to decide.
 * - failed: refused, for the reason in `message`. skipped, cancelled: as somebody wished.
 */
export type ItemState =
  | "waiting"
  | "sending"
  | "done"
  | "taken"
  | "failed"
  | "skipped"
  | "cancelled";

/** A file to be uploaded, or an empty folder to be made. */
export interface Item {
  readonly id: number;
  /** The key of the folder it goes to. */
  readonly folder: string;
  readonly name: string;
  /** undefined: it is a folder. */
  readonly content: Blob | undefined;
  readonly size: number;
  readonly state: ItemState;
  /** Bytes. */
  readonly sent: number;
  /** Bytes per second, while that is known. */
  readonly speed: number | undefined;
  readonly decision: Decision;
  /** Why it failed. */
  readonly message: string | undefined;
  /** A try of it broke, so that it may have been stored without our knowing. */
  readonly unsure: boolean;
  /** How often the connection broke although the server was there. */
  readonly breaks: number;
  /** In a request of its own: one with others was refused, and nobody knows for whose sake. */
  readonly alone: boolean;
}

/** What was chosen, dropped or pasted. */
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
  unsure: false,
  breaks: 0,
  alone: false,
});
