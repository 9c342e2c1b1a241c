import type { Visibility } from "../../../../sdk/src/holdall.ts";

export interface TransferOptions {
  /** The visibility of files outside a folder upload; undefined: the default of their folder. */
  readonly visibility: Visibility | undefined;
  /** Seconds after which files outside a folder upload end; null: never; undefined: as their folder says. */
  readonly expiresIn: number | null | undefined;
  readonly signal: AbortSignal;
  /** Called with the bytes of the whole bundle that have been sent. A resumed upload begins with its offset. */
  readonly onProgress: (loaded: number) => void;
  /** Called with the new upload URL of a large file, before its bytes are sent. */
  readonly onCreated: (url: string) => void;
}
