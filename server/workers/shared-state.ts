import type { PasswordThrottle } from "../access/password-throttle.ts";
import type { JobState, WorkerCounts } from "../health/health.ts";
import type { LimitName, LimitStoreState, RateLimit } from "../limits/port.ts";
import type { ProcessCounts } from "../metrics/request-counts.ts";

/** What the processes of one server share, seen from one of them. */
export interface SharedState {
  /** Whether this process is the only one of the server. */
  readonly isOnlyProcess: boolean;
  /** Owner of this process's blob leases; unique. */
  readonly workerId: string;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
  readonly throttle: PasswordThrottle;
  limitStoreState(): Promise<LimitStoreState>;
  /** Resolves when the other workers use the settings that are in the catalog now. */
  settingsChanged(): Promise<void>;
  /**
   * Makes the other workers write their buffers: activity, traffic and last-used times. Resolves when
   * they have, as far as they can.
   */
  flushPeers(): Promise<void>;
  /** Makes the other workers' leader, if it is one of them, start a scrub now. */
  scrubNow(): Promise<void>;
  /** What the other processes have counted, as far as they respond. */
  peerCounts(): Promise<readonly ProcessCounts[]>;
  /** The processes that serve. */
  workerCounts(): Promise<WorkerCounts>;
  /** Makes the states of the background jobs known to all workers. */
  noteJobs(states: readonly JobState[]): void;
  /** The last noted states. */
  jobs(): Promise<readonly JobState[]>;
}
