import type { Budget } from "../../contract/operation.ts";
import type { ThrottleSubject } from "../access/password-throttle.ts";
import type { Config } from "../config/config.ts";
import type { LimitStoreState, Verdict } from "../limits/port.ts";

/** What a worker process does when its supervisor asks. */
export interface WorkerRpc {
  /** Resolves once it listens. Error: it cannot serve. */
  serve(assignment: Assignment): Promise<void>;
  onEvent(event: PeerEvent): Promise<void>;
  /** Does from now on what one of the workers does for all of them. */
  startBackgroundJobs(input: null): void;
  /** Clears away what the worker of this name, which has ended, has left behind. */
  reclaimLeases(name: string): Promise<void>;
  /** Lets the requests under way finish, for so many milliseconds at most, and ends. */
  stop(graceMs: number): Promise<void>;
}

/** What the supervisor does when a worker asks. */
export interface SupervisorRpc {
  /** One request of a client. */
  count(request: { readonly budget: Budget; readonly client: string }): Verdict | Promise<Verdict>;
  /** As of the throttle. */
  attempt(subjects: readonly ThrottleSubject[]): void | Promise<void>;
  forgive(subjects: readonly ThrottleSubject[]): void | Promise<void>;
  limitStoreState(input: null): LimitStoreState;
  /** A change of the catalog, in the words of its engine: one process writes for all. */
  change(change: MessageEvent["data"]): Promise<MessageEvent["data"]>;
  /** Resolves when every other worker has acted on it, or has ended. */
  broadcast(event: PeerEvent): Promise<void>;
}

export interface Assignment {
  /** What the supervisor has read from the environment: a later change of it is not for half of the workers. */
  readonly config: Config;
  readonly port: number;
  /** One that no other process ever bears. */
  readonly name: string;
  /** Which of them it is, from 1. */
  readonly number: number;
}

/** "flush": another worker is about to read what this one buffers (activity, traffic, last-used times). */
export type PeerEvent = "settings changed" | "flush";
