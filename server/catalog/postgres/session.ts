import type { PoolClient, QueryResult } from "pg";
import { Fault } from "../../rules/fault.ts";
import { isLost } from "./postgres-fault.ts";

/** One connection, for as long as it is held. What it throws is the driver's, not yet a fault. */
export interface Session {
  /** `limit`: milliseconds after which the connection is given up, whatever the server does. */
  run(statement: Statement, limit?: number): Promise<QueryResult>;
  /** Short statements without values in one message; the result of the last. */
  runAll(statements: readonly string[]): Promise<QueryResult>;
  /** Gives the connection back, or away when nobody can say what state it is in. */
  release(): void;
}

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Prepared once for each connection under this name. */
  readonly name?: string;
}

/** Longer than the server lets a statement run, so that this speaks only where the server does not. */
const SILENCE_MS = 40_000;
/** For what takes the server no time. */
const SHORT_MS = 5000;

export function createSession(client: PoolClient, onRelease: () => void): Session {
  let lost = false;

  async function watched<T>(work: Promise<T>, limit: number): Promise<T> {
    const timer = Promise.withResolvers<never>();
    const timeout = setTimeout(() => timer.reject(silent()), limit);
    try {
      return await Promise.race([work, timer.promise]);
    } catch (cause) {
      lost ||= isLost(cause);
      throw cause;
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    run({ text, values = [], name }, limit = SILENCE_MS) {
      const query = { text, values: values.map(storable) };
      return watched(client.query(name === undefined ? query : { ...query, name }), limit);
    },
    async runAll(statements) {
      const results: unknown = await watched(client.query(statements.join(";")), SHORT_MS);
      if (!Array.isArray(results)) throw new Error("One statement is not several.");
      return results.at(-1);
    },
    release() {
      client.release(lost);
      onRelease();
    },
  };
}

/** PostgreSQL cannot hold U+0000: it is kept, and looked for, as the sign for what cannot be shown. */
const storable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

function silent(): Fault {
  return new Fault("unavailable", "The catalog does not answer. Please try again.", {
    retryAfter: 1,
  });
}
