import type { Visibility } from "../../../sdk/src/holdall.ts";

/** The action if the name is taken; "ask" until the user has decided. */
export type ConflictDecision = "ask" | "replace" | "keepBoth";

/**
 * - waiting: queued. sending: in progress. paused: by the user. done: stored.
 * - interrupted: left over by a closed page; the file has to be given again.
 * - taken: the name is taken, and the user has to decide.
 * - failed: refused, with the reason in `message`. skipped, cancelled: by the user.
 */
export type ItemState =
  | "waiting"
  | "sending"
  | "paused"
  | "interrupted"
  | "done"
  | "taken"
  | "failed"
  | "skipped"
  | "cancelled";

/** A file to upload. */
export interface Item {
  readonly id: number;
  /** Identifies the item also after a reload and in other tabs. */
  readonly record: string;
  /** The folder upload that the file belongs to. */
  readonly group: number | undefined;
  /** The index of its batch in the group, once it has one. */
  readonly batch: number | undefined;
  /** The key of the target folder. */
  readonly folder: string;
  readonly name: string;
  /** Undefined for an interrupted item. */
  readonly content: Blob | undefined;
  /** The handle with which the browser finds the file again. */
  readonly handle: FileSystemFileHandle | undefined;
  readonly size: number;
  /** When the file was last changed, in milliseconds since 1970; undefined: unknown. */
  readonly modified: number | undefined;
  readonly state: ItemState;
  /** The upload URL of a large file, once it has one. */
  readonly url: string | undefined;
  /** Bytes sent. */
  readonly sent: number;
  /** Bytes per second, if known. */
  readonly speed: number | undefined;
  readonly decision: ConflictDecision;
  /** The key of a stored file; undefined: `keyOf` returns it. */
  readonly storedKey: string | undefined;
  /**
   * When the upload replaced a file, as the server says; undefined: it did not, it was undone, or it is not
   * known. For a file in a folder upload: when the folder was committed, if any file was replaced.
   */
  readonly replacedAt: string | undefined;
  /** The visibility that it was sent with; undefined: none, so it got the default of its folder. */
  readonly visibility: Visibility | undefined;
  /** The reason of a failure, or something to say about a stored file. */
  readonly message: string | undefined;
  /** An attempt was interrupted, so the file may already be stored. */
  readonly mayBeStored: boolean;
  /** Interrupted attempts without progress while the server was reachable. */
  readonly interruptions: number;
  /** Sent in a request of its own, because a bundle with it was refused for an unknown reason. */
  readonly sendAlone: boolean;
}

/** A picked, dropped or pasted file. */
export interface Source {
  readonly folder: string;
  readonly name: string;
  readonly content: Blob;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Distinguishes the records of this tab from records of other tabs. */
const TAB = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) =>
  part.toString(36),
).join("");

export const recordKey = (id: number): string => `${TAB}-${id}`;

export const modifiedOf = (content: Blob): number | undefined =>
  content instanceof File ? content.lastModified : undefined;

export const itemOf = (id: number, { folder, name, content, handle }: Source): Item => ({
  id,
  record: recordKey(id),
  group: undefined,
  batch: undefined,
  folder,
  name,
  content,
  handle,
  size: content.size,
  modified: modifiedOf(content),
  state: "waiting",
  url: undefined,
  sent: 0,
  speed: undefined,
  decision: "ask",
  storedKey: undefined,
  replacedAt: undefined,
  visibility: undefined,
  message: undefined,
  mayBeStored: false,
  interruptions: 0,
  sendAlone: false,
});

/** Still to be uploaded: now, later or after something from the user. */
export const isPending = ({ state }: Item): boolean =>
  state === "waiting" || state === "sending" || state === "paused" || state === "taken";

export const keyOf = ({ folder, name }: Pick<Item, "folder" | "name">): string =>
  joinKey(folder, name).normalize("NFC");

export const joinKey = (folder: string, path: string): string =>
  folder === "" || path === "" ? folder + path : `${folder}/${path}`;
