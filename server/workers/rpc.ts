import type {
  Verdict as AttemptVerdict,
  Outcome,
  ThrottleSubject,
} from "../access/password-throttle.ts";
import type { Config } from "../config/config.ts";
import type { JobState, WorkerCounts } from "../health/health.ts";
import type { LimitName, LimitStoreState, Verdict } from "../limits/port.ts";
import type { ProcessCounts } from "../metrics/request-counts.ts";

/** The methods of a worker process, called by the supervisor. */
export interface WorkerRpc {
  /** Resolves once it listens. Error: it cannot serve. */
  serve(assignment: Assignment): Promise<void>;
  onEvent(event: PeerEvent): Promise<void>;
  /** undefined: it counts nothing. */
  readCounts(input: null): Promise<ProcessCounts | undefined>;
  /** Shows that the process runs. */
  ping(input: null): void;
  /** This worker becomes the leader, which does the work that one process does for all. */
  startBackgroundJobs(input: null): void;
  /** Cleans up the leases of a worker that has exited. */
  reclaimLeases(workerId: string): Promise<void>;
  /** Resolves when the worker may stop; see `App.drain`. */
  drain(input: null): Promise<void>;
  /** Lets pending requests finish within `graceMs`, then exits. */
  stop(graceMs: number): Promise<void>;
}

/** The methods of the supervisor, called by the workers. */
export interface SupervisorRpc {
  /** Takes one request from a client's budget. */
  countRequest(request: {
    readonly budget: LimitName;
    readonly client: string;
  }): Verdict | Promise<Verdict>;
  /** `PasswordThrottle.begin`. */
  beginPasswordAttempt(
    subjects: readonly ThrottleSubject[],
  ): AttemptVerdict | Promise<AttemptVerdict>;
  /** `PasswordThrottle.end`. */
  endPasswordAttempt(ended: EndedAttempt): void | Promise<void>;
  limitStoreState(input: null): LimitStoreState;
  workerCounts(input: null): WorkerCounts;
  /** The counts of the other workers that respond. */
  peerCounts(input: null): Promise<readonly ProcessCounts[]>;
  /** The leader reports its background jobs. */
  noteJobs(states: readonly JobState[]): void;
  jobs(input: null): readonly JobState[];
  /** Applies a change to the SQLite catalog, which only the supervisor writes to. */
  change(change: MessageEvent["data"]): Promise<MessageEvent["data"]>;
  /** Resolves when every other worker has handled the event, has exited or is frozen. */
  broadcast(event: PeerEvent): Promise<void>;
}

export interface EndedAttempt {
  readonly outcome: Outcome;
  readonly subjects: readonly ThrottleSubject[];
}

export interface Assignment {
  /** Read once by the supervisor, so that all workers have the same configuration. */
  readonly config: Config;
  readonly port: number;
  /** null: the S3 API has no port of its own. */
  readonly s3Port: number | null;
  /** Owner of the worker's blob leases; never reused. */
  readonly workerId: string;
  /** The worker's position in the pool, from 1. */
  readonly number: number;
}

/**
 * "flush": another worker is about to read what this one buffers (activity, traffic, last-used times).
 * "scrub now": for the leader, which runs the scrubs.
 */
export type PeerEvent = "settings changed" | "flush" | "scrub now";
