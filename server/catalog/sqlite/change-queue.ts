import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { Fault } from "../../rules/fault.ts";
import type { Change } from "../changes/changes.ts";
import { changes, longChanges } from "../changes/changes.ts";
import type { Schema } from "../schema.ts";
import { runBatch, type Waiting } from "./batch.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * Runs changes on one connection, those that wait at the same moment in one transaction. Once
 * nobody can tell whether a commit is kept, there are no more: the next start finds out.
 */
export interface ChangeQueue {
  readonly change: Change;
  /** Resolves when everything accepted is done; what comes after is refused. */
  finish(): Promise<void>;
}

const MOST_IN_BATCH = 256;

/** `onBroken` hears that there are no more changes before those whose outcome is unknown do. */
export function createChangeQueue(
  connection: SqliteConnection,
  db: Kysely<Schema>,
  onBroken: (cause: Error) => void = () => {},
): ChangeQueue {
  const waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  let refusal: Fault | undefined;

  function takeBatch(): Waiting[] {
    const alone = waiting.findIndex((change) => change.alone);
    const together = alone === -1 ? waiting.length : Math.max(alone, 1);
    return waiting.splice(0, Math.min(together, MOST_IN_BATCH));
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // Lets in the changes that are already on their way, so that they share a commit.
      await setImmediate();
      const batch = takeBatch();
      const lost = await runBatch(connection, db, batch);
      if (lost !== undefined) breakDown(lost, batch);
    }
    working = undefined;
  }

  function breakDown(cause: Error, batch: readonly Waiting[]): void {
    refusal = new Fault("unavailable", "The catalog's writer has broken down.", { cause });
    onBroken(cause);
    for (const change of [...batch, ...waiting.splice(0)]) change.fail(refusal);
  }

  return {
    change(name, input) {
      if (refusal !== undefined) return Promise.reject(refusal);
      return new Promise((resolve, reject) => {
        waiting.push({
          alone: longChanges.has(name),
          async run(tx) {
            const result = await changes[name](tx, ...input);
            return () => resolve(result);
          },
          fail: reject,
        });
        working ??= work();
      });
    },
    async finish() {
      refusal ??= new Fault("unavailable", "The catalog is closed.");
      await working;
    },
  };
}
