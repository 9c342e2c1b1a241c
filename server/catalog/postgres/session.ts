import type { PoolClient, QueryResult } from "pg";
import { Fault } from "../../domain/faults/fault.ts";
import type { CircuitBreaker } from "../../lib/circuit-breaker.ts";
import { isLost, isReadOnly, sqlState } from "./postgres-fault.ts";

/** One connection of the pool until it is released. Throws the driver's errors, not faults. */
export interface Session {
  /** The connection is closed when there is no reply within `timeoutMs`, or the server is frozen. */
  run(statement: Statement, timeoutMs?: number): Promise<QueryResult>;
  /** Runs short statements without values in one message. Returns the result of the last. */
  runAll(statements: readonly string[]): Promise<QueryResult>;
  /** Returns the connection to the pool, or closes it when its state is unknown. */
  release(): void;
  /** Closes the connection. */
  discard(): void;
}

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Prepared once per connection under this name. */
  readonly name?: string;
}

/** Longer than the server's statement timeout, so that it only applies when the server does not reply. */
const REPLY_TIMEOUT_MS = 40_000;
/** The limit for statements that take the server no time. */
const SHORT_TIMEOUT_MS = 5000;

export interface SessionDeps {
  readonly client: PoolClient;
  readonly breaker: CircuitBreaker | undefined;
  readonly onReadOnly?: (() => void) | undefined;
  readonly onRelease: () => void;
}

export function createSession({ client, breaker, onReadOnly, onRelease }: SessionDeps): Session {
  let lost = false;

  async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    const timer = Promise.withResolvers<never>();
    const fail = (): void => timer.reject(noReply());
    const timeout = setTimeout(fail, timeoutMs);
    const endWait = breaker?.watch(fail);
    try {
      const result = await Promise.race([work, timer.promise]);
      breaker?.noteReply();
      return result;
    } catch (cause) {
      if (sqlState(cause) !== "") breaker?.noteReply();
      if (isReadOnly(cause)) onReadOnly?.();
      lost ||= isLost(cause);
      throw cause;
    } finally {
      clearTimeout(timeout);
      endWait?.();
    }
  }

  function end(isBroken: boolean): void {
    client.release(isBroken);
    onRelease();
  }

  return {
    run({ text, values = [], name }, timeoutMs = REPLY_TIMEOUT_MS) {
      const query = { text, values: values.map(storable) };
      return withTimeout(client.query(name === undefined ? query : { ...query, name }), timeoutMs);
    },
    async runAll(statements) {
      const results: unknown = await withTimeout(
        client.query(statements.join(";")),
        SHORT_TIMEOUT_MS,
      );
      if (!Array.isArray(results)) throw new Error("One statement is not several.");
      return results.at(-1);
    },
    release: () => end(lost),
    discard: () => end(true),
  };
}

/** PostgreSQL cannot store U+0000: it is replaced by U+FFFD REPLACEMENT CHARACTER. */
export const storable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

/** The fault when the server does not reply. */
export function noReply(): Fault {
  return new Fault("unavailable", "The catalog does not answer. Please try again.", {
    retryAfter: 5,
  });
}
