import type { LimitStoreState } from "../limits/port.ts";
import { type Connection, connect } from "./connection.ts";
import type { RedisScript } from "./redis-script.ts";
import { displayAddress, type RedisSettings } from "./redis-settings.ts";

/** Commands to a Redis that may become unavailable at any time. No request waits for it. */
export interface RedisClient {
  /**
   * Resolves with the reply, or with undefined when there is none before the deadline: the caller then
   * decides without it, and Redis may or may not have run the command. Returns undefined at once while
   * Redis is disconnected or late.
   */
  send(command: readonly string[]): Promise<unknown> | undefined;
  state(): LimitStoreState;
  close(): void;
}

export type RedisEvent =
  /** Reported once per outage. `cause` contains no secret. */
  | { readonly event: "lost"; readonly address: string; readonly cause: unknown }
  | { readonly event: "back"; readonly address: string }
  /** A reply takes `tookMs`, which is longer than the deadline. */
  | { readonly event: "slow"; readonly address: string; readonly tookMs: number };

export interface RedisClientOptions extends RedisSettings {
  /** Loaded on each connection. */
  readonly scripts: readonly RedisScript[];
  /** A command that only succeeds when all others would. */
  readonly probe: readonly string[];
  readonly onEvent: (event: RedisEvent) => void;
  /** How long a request waits for a reply. */
  readonly deadlineMs?: number;
  /** After this long without a reply, the connection counts as lost. */
  readonly timeoutMs?: number;
  readonly reconnectMs?: number;
}

const DEADLINE_MS = 3;
const TIMEOUT_MS = 1000;
const RECONNECT_MS = 1000;

/** Resolves after the first attempt to connect, successful or not; later attempts follow by themselves. */
export async function openRedisClient(options: RedisClientOptions): Promise<RedisClient> {
  const { scripts, probe, onEvent, url } = options;
  const { deadlineMs = DEADLINE_MS, timeoutMs = TIMEOUT_MS, reconnectMs = RECONNECT_MS } = options;
  const address = displayAddress(options);
  let connection: Connection | undefined;
  let state: LimitStoreState = "lost";
  let isLossReported = false;
  let isClosed = false;
  let retryTimer: Timer | undefined;
  /** Resolve the calls that wait for replies on this connection. */
  let waiting = new Set<() => void>();
  /** Replies that this connection has not delivered yet, in time or late. */
  let pendingReplies = 0;
  /** Runs from a missed deadline until Redis has caught up; no command is sent meanwhile. */
  let timeout: Timer | undefined;

  function lose(cause: unknown): void {
    connection?.close();
    connection = undefined;
    clearTimeout(timeout);
    timeout = undefined;
    pendingReplies = 0;
    for (const giveUp of waiting) giveUp();
    waiting = new Set();
    state = "lost";
    if (!isLossReported && !isClosed) onEvent({ event: "lost", address, cause });
    isLossReported = true;
    if (isClosed) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => void open(), reconnectMs);
    retryTimer.unref();
  }

  async function open(): Promise<void> {
    let opened: Connection | undefined;
    try {
      opened = await connect({
        url,
        timeoutMs,
        onLost: (cause) => {
          if (opened === connection) lose(cause);
        },
      });
      const tookMs = await prepare(opened);
      if (isClosed) return opened.close();
      connection = opened;
      state = "connected";
      if (isLossReported) onEvent({ event: "back", address });
      isLossReported = false;
      if (tookMs > deadlineMs) onEvent({ event: "slow", address, tookMs });
    } catch (cause) {
      opened?.close();
      lose(cause);
    }
  }

  /** Loads the scripts and runs the probe. Returns the round-trip time in milliseconds. */
  async function prepare(opened: Connection): Promise<number> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(noReply()), timeoutMs);
    const sendNow = (command: readonly string[]): Promise<unknown> =>
      Promise.race([opened.send(command), late.promise]);
    try {
      for (const { text } of scripts) await sendNow(["SCRIPT", "LOAD", text]);
      await sendNow(probe);
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const startedAt = performance.now();
        await sendNow(["PING"]);
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    } finally {
      clearTimeout(timer);
    }
  }

  const noReply = (): Error => new Error(`no reply within ${timeoutMs / 1000} s`);

  /** Redis is late: callers decide without it, those that wait and those that come before it has caught up. */
  function onDeadlineMissed(): void {
    for (const giveUp of waiting) giveUp();
    waiting = new Set();
    timeout ??= setTimeout(() => lose(noReply()), timeoutMs);
  }

  function send(command: readonly string[]): Promise<unknown> | undefined {
    const current = connection;
    if (current === undefined || timeout !== undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const giveUp = (): void => resolve(undefined);
    waiting.add(giveUp);
    pendingReplies += 1;
    const markReceived = startDeadline();
    current.send(command).then(
      (reply) => {
        markReceived();
        resolve(reply);
        if (current !== connection) return;
        waiting.delete(giveUp);
        pendingReplies -= 1;
        if (pendingReplies > 0) return;
        clearTimeout(timeout);
        timeout = undefined;
      },
      (cause: unknown) => {
        markReceived();
        resolve(undefined);
        // An error reply would repeat: Redis is read-only, full, or has lost the scripts.
        if (current === connection) lose(cause);
      },
    );
    return promise;
  }

  const startDeadline = createDeadline(deadlineMs, onDeadlineMissed);
  await open();
  return {
    send,
    state: () => state,
    close() {
      isClosed = true;
      clearTimeout(retryTimer);
      lose(undefined);
    },
  };
}

/** Starts waiting for a reply; the function that it returns marks the reply as received. */
type Deadline = () => () => void;

interface Turn {
  open: number;
  timer: Timer | undefined;
}

/**
 * Calls `onLate` when a reply takes longer than `ms`, not counting the time in which this process was
 * busy. Requests of one turn of the event loop share a timer.
 */
function createDeadline(ms: number, onLate: () => void): Deadline {
  let current: Turn | undefined;

  function startTurn(): Turn {
    const turn: Turn = { open: 0, timer: undefined };
    // Nothing is sent before this turn ends, so the time starts then.
    setImmediate(() => {
      current = undefined;
      if (turn.open > 0) turn.timer = setTimeout(() => checkAfterReading(turn), ms);
    });
    return turn;
  }

  /** Replies that arrived while this process was busy are read between the two immediates. */
  function checkAfterReading(turn: Turn): void {
    setImmediate(() => setImmediate(() => turn.open > 0 && onLate()));
  }

  return () => {
    current ??= startTurn();
    const turn = current;
    turn.open += 1;
    return () => {
      turn.open -= 1;
      if (turn.open === 0) clearTimeout(turn.timer);
    };
  };
}
