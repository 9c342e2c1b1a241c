import type { Visibility } from "../../../sdk/src/holdall.ts";
import type { Groups } from "./group.ts";
import type { Queue } from "./queue.ts";
import type { GroupTotals } from "./summary.ts";

/** Why all uploads wait. */
export type Pause =
  /** The server cannot be reached; resumes automatically. */
  | { readonly reason: "network" }
  /** The API's rate limit; resumes automatically. */
  | { readonly reason: "limit"; readonly until: number }
  /** The session has ended. */
  | { readonly reason: "session" }
  /** The storage is full, with the server's message. Needs `tryAgain()`. */
  | { readonly reason: "room"; readonly message: string };

export interface UploadsState {
  readonly items: Queue;
  readonly groups: Groups;
  readonly totals: ReadonlyMap<number, GroupTotals>;
  readonly pause: Pause | undefined;
  /** Total bytes per second. */
  readonly speed: number | undefined;
  /** Bytes per second of each group, if known. */
  readonly speeds: ReadonlyMap<number, number | undefined>;
  /** The user has closed the panel, although interrupted uploads are left. */
  readonly isHidden: boolean;
  /** The user's choice for all uploads of the panel; undefined: there is none. */
  readonly visibility: Visibility | undefined;
  /** Seconds after which the files end, as the user has chosen; null: never; undefined: nothing was chosen. */
  readonly expiresIn: number | null | undefined;
}
