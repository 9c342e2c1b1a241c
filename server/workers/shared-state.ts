import type { Budget } from "../../contract/operation.ts";
import type { PasswordThrottle } from "../access/password-throttle.ts";
import type { LimitStoreState, RateLimit } from "../limits/port.ts";

/** What the processes of one server share, as one of them sees it. */
export interface SharedState {
  /** Whose leases of blobs this process's are to be: a name that nobody else bears. */
  readonly name: string;
  readonly limits: Readonly<Record<Budget, RateLimit>>;
  readonly throttle: PasswordThrottle;
  /** How it stands with what several servers count together. */
  limitStoreState(): Promise<LimitStoreState>;
  /** Resolves when the others go by the settings as they are in the catalog now. */
  settingsChanged(): Promise<void>;
  /**
   * Makes the other workers write their buffers: activity, traffic and last-used times. Resolves when
   * they have, as far as they can.
   */
  flushPeers(): Promise<void>;
}
