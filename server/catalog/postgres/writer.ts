import { Fault } from "../../rules/fault.ts";
import type { BlobId } from "../../rules/records.ts";
import type { ChangeInputs, ChangeName, ChangeResults } from "../changes/changes.ts";
import { changes, longChanges } from "../changes/changes.ts";
import type { Engine } from "../engine.ts";
import { findOutcome } from "./outcome.ts";
import { isCollision, isLost, postgresFault } from "./postgres-fault.ts";
import type { SessionPool } from "./session-pool.ts";
import { beginTransaction, type Transaction } from "./transaction.ts";

/** How often a change is tried that gets in others' way, or whose connection was lost. */
const TRIES = { collision: 10, connection: 2 } as const;

/** Runs each change in a transaction of its own, again when it and others get in each other's way. */
export function createWriter(pool: SessionPool): Pick<Engine, "change" | "close"> {
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function tryToChange<N extends ChangeName>(
    name: N,
    input: ChangeInputs[N],
  ): Promise<ChangeResults[N]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await changeOnce(pool, name, input);
      } catch (cause) {
        if (!(cause instanceof Undone)) throw postgresFault(cause);
        if (tries >= TRIES[cause.by]) throw postgresFault(cause.cause);
      }
      await Bun.sleep(Math.random() * 5 * 2 ** Math.min(tries, 6));
    }
  }

  return {
    change(name, input) {
      if (closed) return Promise.reject(new Fault("unavailable", "The catalog is closed."));
      const work = tryToChange(name, input);
      const settled: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return work;
    },
    async close() {
      closed = true;
      await Promise.all(running);
      await pool.close();
    },
  };
}

/** Nothing of the change has happened, so it may be tried again. */
class Undone extends Error {
  readonly by: keyof typeof TRIES;

  constructor(by: keyof typeof TRIES, cause: unknown) {
    super("The change was undone.", { cause });
    this.by = by;
  }
}

async function changeOnce<N extends ChangeName>(
  pool: SessionPool,
  name: N,
  input: ChangeInputs[N],
): Promise<ChangeResults[N]> {
  const session = await pool.acquire();
  let result: ChangeResults[N];
  let transaction: Transaction;
  let lost: unknown;
  try {
    transaction = await beginTransaction(session, longChanges.has(name)).catch((cause: unknown) => {
      // It may have been lost while nobody was using it.
      throw isLost(cause) ? new Undone("connection", cause) : cause;
    });
    result = await changes[name](transaction.tx, ...input).catch(undo(transaction));
    lost = await transaction.commit().catch((cause: unknown) => {
      return isLost(cause) ? cause : undo(transaction)(cause);
    });
  } finally {
    session.release();
  }
  if (lost === undefined) return result;
  const outcome = await findOutcome(pool, transaction.id, proofs[name]?.(result));
  if (outcome === "made") return result;
  throw outcome === "undone" ? new Undone("connection", lost) : lost;
}

const undo =
  (transaction: Transaction) =>
  async (cause: unknown): Promise<never> => {
    await transaction.rollBack();
    throw isCollision(cause) ? new Undone("collision", cause) : cause;
  };

/** What is there only if the change was made: a blob that it has given to a file. */
const proofs: {
  readonly [N in ChangeName]?: (result: ChangeResults[N]) => BlobId | undefined;
} = { addFiles: ([first]) => first?.blobId };
