import type { LimitStoreState } from "../limits/port.ts";
import { type Connection, connect } from "./connection.ts";
import { createDeadline } from "./deadline.ts";
import type { Script } from "./redis-script.ts";
import { placeOf, type RedisSettings } from "./redis-settings.ts";

/** The way to a Redis that may go and come back at any moment. Nobody waits for it. */
export interface RedisClient {
  /**
   * The answer; undefined when there is none in time: decide without it. Whether Redis has carried the
   * command out is not known then. At once undefined for as long as Redis is gone or keeps silent.
   */
  ask(command: readonly string[]): Promise<unknown> | undefined;
  state(): LimitStoreState;
  close(): void;
}

export type RedisEvent =
  /** AuditDetails once, until it is back. `cause` holds no secret. */
  | { readonly event: "lost"; readonly place: string; readonly cause: unknown }
  | { readonly event: "back"; readonly place: string }
  /** It answers, but too late to be waited for: `took` milliseconds. */
  | { readonly event: "slow"; readonly place: string; readonly took: number };

export interface RedisClientOptions extends RedisSettings {
  /** What is asked for by name later. */
  readonly scripts: readonly Script[];
  /** A command that shows that all others would work. */
  readonly trial: readonly string[];
  readonly onEvent: (event: RedisEvent) => void;
  /** Milliseconds that a request may wait. */
  readonly deadline?: number;
  /** Milliseconds of silence after which the connection is given up. */
  readonly patience?: number;
  /** Milliseconds from one try to connect to the next. */
  readonly pause?: number;
}

const DEADLINE_MS = 3;
const PATIENCE_MS = 1000;
const PAUSE_MS = 1000;

/** Resolves once the first try to connect has ended, however it did: the link tries on by itself. */
export async function openRedisClient(options: RedisClientOptions): Promise<RedisClient> {
  const { scripts, trial, onEvent, url } = options;
  const { deadline = DEADLINE_MS, patience = PATIENCE_MS, pause = PAUSE_MS } = options;
  const place = placeOf(options);
  let connection: Connection | undefined;
  let state: LimitStoreState = "absent";
  let isTold = false;
  let isClosed = false;
  let retry: Timer | undefined;
  /** Those who wait for an answer of this connection, and how many answers it owes. */
  let waiting = new Set<() => void>();
  let owed = 0;
  /** Runs while Redis is silent beyond the deadline: nothing more is asked of it until it has answered. */
  let silence: Timer | undefined;

  function lose(cause: unknown): void {
    connection?.close();
    connection = undefined;
    clearTimeout(silence);
    silence = undefined;
    owed = 0;
    for (const giveUp of waiting) giveUp();
    waiting = new Set();
    if (state === "present") state = "lost";
    if (!isTold && !isClosed) onEvent({ event: "lost", place, cause });
    isTold = true;
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(() => void begin(), pause);
    retry.unref();
  }

  async function begin(): Promise<void> {
    let found: Connection | undefined;
    try {
      found = await connect({
        url,
        patience,
        onLost: (cause) => {
          if (found === connection) lose(cause);
        },
      });
      const took = await prepare(found);
      if (isClosed) return found.close();
      connection = found;
      state = "present";
      if (isTold) onEvent({ event: "back", place });
      isTold = false;
      if (took > deadline) onEvent({ event: "slow", place, took });
    } catch (cause) {
      found?.close();
      lose(cause);
    }
  }

  /** Returns the milliseconds that an answer takes. */
  async function prepare(found: Connection): Promise<number> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(silent()), patience);
    const send = (command: readonly string[]): Promise<unknown> =>
      Promise.race([found.send(command), late.promise]);
    try {
      for (const { text } of scripts) await send(["SCRIPT", "LOAD", text]);
      await send(trial);
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const from = performance.now();
        await send(["PING"]);
        times.push(performance.now() - from);
      }
      return Math.min(...times);
    } finally {
      clearTimeout(timer);
    }
  }

  const silent = (): Error => new Error(`no answer within ${patience / 1000} s`);

  /** Redis is late: those who wait decide without it, and so does everybody until it has caught up. */
  function goOn(): void {
    for (const giveUp of waiting) giveUp();
    waiting = new Set();
    silence ??= setTimeout(() => lose(silent()), patience);
  }

  function ask(command: readonly string[]): Promise<unknown> | undefined {
    const asked = connection;
    if (asked === undefined || silence !== undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const giveUp = (): void => resolve(undefined);
    waiting.add(giveUp);
    owed += 1;
    const arrived = waitFor();
    asked.send(command).then(
      (answer) => {
        arrived();
        resolve(answer);
        if (asked !== connection) return;
        waiting.delete(giveUp);
        owed -= 1;
        if (owed > 0) return;
        clearTimeout(silence);
        silence = undefined;
      },
      (cause: unknown) => {
        arrived();
        resolve(undefined);
        // What it refuses once, it refuses again: it is read-only by now, or full, or has forgotten us.
        if (asked === connection) lose(cause);
      },
    );
    return promise;
  }

  const waitFor = createDeadline(deadline, goOn);
  await begin();
  return {
    ask,
    state: () => state,
    close() {
      isClosed = true;
      clearTimeout(retry);
      lose(undefined);
    },
  };
}
