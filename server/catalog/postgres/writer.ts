import type { ChangedBy } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { ChangeInputs, ChangeName, ChangeResults } from "../changes.ts";
import { changes } from "../changes.ts";
import type { Writer } from "../engine/engine.ts";
import { runChange } from "../run-change.ts";
import { findOutcome } from "./find-outcome.ts";
import { isCollision, isLost, postgresFault } from "./postgres-fault.ts";
import type { ServerClock } from "./server-clock.ts";
import type { SessionPool } from "./session-pool.ts";
import { beginTransaction, type Transaction } from "./transaction.ts";

/** How often a change is tried that collides with others, or whose connection was lost. */
const MAX_TRIES = { collision: 10, connection: 2 } as const;

/** Runs each change in a transaction of its own, and retries it after a collision. */
export function createWriter(pool: SessionPool, clock: ServerClock): Writer {
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function tryToChange<N extends ChangeName>(
    name: N,
    input: ChangeInputs[N],
    caller: ChangedBy,
  ): Promise<ChangeResults[N]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await changeOnce({ pool, clock }, name, input, caller);
      } catch (cause) {
        if (!(cause instanceof RolledBack)) throw postgresFault(cause);
        if (tries >= MAX_TRIES[cause.by]) throw postgresFault(cause.cause);
      }
      await sleep(Math.random() * 5 * 2 ** Math.min(tries, 6));
    }
  }

  return {
    change(name, input, caller) {
      if (closed) return Promise.reject(new Fault("unavailable", "The catalog is closed."));
      const work = tryToChange(name, input, caller);
      const done: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(done));
      running.add(done);
      return work;
    },
    async close() {
      closed = true;
      await Promise.all(running);
      await pool.close();
    },
  };
}

/** The change was rolled back, or gives the same result again, so it may be retried. */
class RolledBack extends Error {
  readonly by: keyof typeof MAX_TRIES;

  constructor(by: keyof typeof MAX_TRIES, cause: unknown) {
    super("The change was rolled back.", { cause });
    this.by = by;
  }
}

async function changeOnce<N extends ChangeName>(
  { pool, clock }: { readonly pool: SessionPool; readonly clock: ServerClock },
  name: N,
  input: ChangeInputs[N],
  caller: ChangedBy,
): Promise<ChangeResults[N]> {
  const session = await pool.acquire();
  let result: ChangeResults[N];
  let transaction: Transaction;
  let lost: unknown;
  try {
    transaction = await beginTransaction(session, {
      isLong: changes[name].alone === true,
      clock,
    }).catch((cause: unknown) => {
      // An idle connection may have been lost.
      throw isLost(cause) ? new RolledBack("connection", cause) : cause;
    });
    result = await runChange(transaction.tx, name, input, caller).catch(rollBack(transaction));
    lost = await transaction.commit().catch((cause: unknown) => {
      return isLost(cause) ? cause : rollBack(transaction)(cause);
    });
  } finally {
    session.release();
  }
  if (lost === undefined || changedNothing[name]?.(result)) return result;
  const outcome = await findOutcome(pool, transaction.id, proofs[name]?.(result));
  if (outcome === "committed") return result;
  if (outcome === "rolled back" || repeatable.has(name)) throw new RolledBack("connection", lost);
  throw unknownOutcome(lost);
}

function unknownOutcome(cause: unknown): Fault {
  const message =
    "The catalog does not answer, and it is unknown whether the change was made. Check before you try again.";
  return new Fault("unavailable", message, { cause, retryAfter: 5 });
}

const rollBack =
  (transaction: Transaction) =>
  async (cause: unknown): Promise<never> => {
    await transaction.rollBack();
    throw isCollision(cause) ? new RolledBack("collision", cause) : cause;
  };

/** Changes that make no difference, and return the same, when they are made again. */
const repeatable: ReadonlySet<ChangeName> = new Set([
  "saveUpload",
  "renewUpload",
  "releaseUpload",
  "finishUpload",
  "commitBatch",
  "releasePart",
  "beginAssembly",
  "completeMultipart",
]);

/** Whether nothing was written, so that it makes no difference whether the commit succeeded. */
const changedNothing: {
  readonly [N in ChangeName]?: (result: ChangeResults[N]) => boolean;
} = {
  addFilesTogether: (results) => results.every(({ files }) => files === undefined),
};

/** A blob that is in the catalog only if the change was committed. */
const proofs: {
  readonly [N in ChangeName]?: (result: ChangeResults[N]) => BlobId | undefined;
} = {
  addFiles: ([first]) => first?.blobId,
  addFilesTogether: (results) => results.flatMap(({ files = [] }) => files)[0]?.blobId,
  // The file that an upload repeats was there before.
  finishUpload: ({ file, keepsBlob }) => (keepsBlob ? file?.blobId : undefined),
  putObject: (file) => file.blobId,
};
