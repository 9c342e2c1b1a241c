import type { BlobId } from "../domain/records.ts";
import type { Checkpoint, GrowingBlob, GrowingBlobs, GrowthStart, TakeChunk } from "./port.ts";

/** What a store does for a growing blob. One call at a time, except where noted. */
export interface Growth {
  /** See `GrowingBlob`. */
  readonly start: number;
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Covers what was written before the call. Resolves when writes may go on; no other call is made until
   * `done` resolves.
   */
  checkpoint(): Promise<{ readonly done: Promise<Checkpoint> }>;
  readRest(take: TakeChunk): Promise<void>;
  seal(): Promise<void>;
  /** Makes the calls in progress fail soon, if they could take long. */
  stop(): void;
  /** Releases memory and descriptors. Called once, after all other calls but `remove`. */
  release(): Promise<void>;
  /** Called after `release`. false: the removal failed. */
  remove(): Promise<boolean>;
}

type State = "open" | "failed" | "sealed" | "closed" | "discarded";

/**
 * Turns a store's growths into growing blobs: calls run in order and none after a failure, and a blob
 * has one writer in this process. `faultOf` translates the store's errors.
 */
export function createGrow(
  open: (id: BlobId, from: GrowthStart) => Promise<Growth>,
  faultOf: (error: unknown) => unknown,
): GrowingBlobs["grow"] {
  const writers = new Map<BlobId, Promise<GrowingBlob>>();

  return (id, from) => {
    const previous = writers.get(id);
    const onEnd = (): void => {
      if (writers.get(id) === writer) writers.delete(id);
    };
    const writer = (async () => {
      await (await previous?.catch(() => undefined))?.close();
      try {
        return createGrowingBlob(await open(id, from), faultOf, onEnd);
      } catch (error) {
        onEnd();
        throw faultOf(error);
      }
    })();
    writers.set(id, writer);
    return writer;
  };
}

function createGrowingBlob(
  growth: Growth,
  faultOf: (error: unknown) => unknown,
  onEnd: () => void,
): GrowingBlob {
  let state: State = "open";
  let last: Promise<unknown> = Promise.resolve();
  /** Never rejects. */
  let checkpointing: Promise<void> = Promise.resolve();
  let releasing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let discarding: Promise<boolean> | undefined;

  function requireOpen(): void {
    if (state !== "open") throw new Error(`This blob is ${state} and cannot be written.`);
  }

  function failure(error: unknown): unknown {
    // Requests that were aborted on purpose are not errors of the store.
    if (closing !== undefined || discarding !== undefined) return new Error("This blob is closed.");
    if (state === "open") state = "failed";
    return faultOf(error);
  }

  function enqueue<T>(step: () => Promise<T>): Promise<T> {
    const run = last.then(async () => {
      requireOpen();
      try {
        return await step();
      } catch (error) {
        throw failure(error);
      }
    });
    last = run.catch(() => {});
    return run;
  }

  /** Every step ends before descriptors are closed: a number could soon belong to another file. */
  async function release(): Promise<void> {
    releasing ??= growth.release().catch(() => {});
    await releasing;
    onEnd();
  }

  return {
    start: growth.start,
    write: (chunk) => enqueue(() => growth.write(chunk)),

    async checkpoint() {
      const { done } = await enqueue(async () => {
        await checkpointing;
        requireOpen();
        const { done } = await growth.checkpoint();
        const outcome = done.catch((error: unknown) => {
          throw failure(error);
        });
        checkpointing = outcome.then(
          () => {},
          () => {},
        );
        // In an object, so that the next write need not wait for it.
        return { done: outcome };
      });
      return done;
    },

    readRest: (take) =>
      enqueue(async () => {
        await checkpointing;
        requireOpen();
        await growth.readRest(take);
      }),

    seal: () =>
      enqueue(async () => {
        await checkpointing;
        requireOpen();
        await growth.seal();
        state = "sealed";
        await release();
      }),

    close() {
      growth.stop();
      closing ??= last.then(async () => {
        await checkpointing;
        if (state !== "sealed" && state !== "discarded") state = "closed";
        await release();
      });
      last = closing;
      return closing;
    },

    discard() {
      if (closing !== undefined) return Promise.resolve(true);
      growth.stop();
      discarding ??= last.then(async () => {
        await checkpointing;
        state = "discarded";
        await release();
        return growth.remove();
      });
      last = discarding;
      return discarding;
    },
  };
}
