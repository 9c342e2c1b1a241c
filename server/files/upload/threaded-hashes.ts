import type { ContentSums } from "./content-hash.ts";
import type { FromHashThread, ToHashThread } from "./hash-thread.ts";

/** The hash of one content. To be ended with `end` or `drop`. */
export interface UploadHash {
  /**
   * Copies the chunk, so that the caller may reuse it, and waits while too much is yet to be hashed
   * or stored. With `store`, the bytes are stored before they are hashed: see `StoreBytes`. Rejects
   * with the error of an earlier `store`.
   */
  update(chunk: Uint8Array, store?: StoreBytes): Promise<void> | void;
  /** Resolves when the bytes of all updates are stored. Rejects with the error of `store`. */
  flush(): Promise<void> | void;
  /** The sums of all chunks. Flushes first. */
  end(): Promise<ContentSums> | ContentSums;
  /** Hashes and stores all chunks, and releases the memory for further ones until the next update. */
  pause(): Promise<void>;
  /** Ends the hash without a result. Does nothing once it has ended. */
  drop(): void;
}

/**
 * Is called with all bytes in order, one call at a time, and not again after a failure. The bytes are
 * valid until the returned promise resolves.
 */
export type StoreBytes = (bytes: Uint8Array) => Promise<void>;

/** Hashes contents on a thread, which it starts when it is needed. */
export interface ThreadedHashes {
  create(): UploadHash;
  /** Ends the thread. Contents that are being hashed fail. */
  close(): void;
}

/** Each request to the thread costs as much as hashing 100 KB. */
const BLOCK_BYTES = 256 * 1024;
/** One block is filled while another is stored and a third one hashed. */
const BLOCKS = 3;
/** Blocks kept for the next contents. */
const SPARE_BLOCKS = 8;
/** The thread takes several megabytes, so it ends when there was nothing to hash for this long. */
const IDLE_MS = 10_000;

/** A content that is being hashed. */
interface Content {
  onHashed(buffer: ArrayBuffer): void;
  onSums(sums: ContentSums): void;
  onFailure(error: Error): void;
}

export function createThreadedHashes(): ThreadedHashes {
  const contents = new Map<number, Content>();
  const spare: ArrayBuffer[] = [];
  let thread: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function startThread(): Worker {
    const started = new Worker(new URL("./hash-thread.ts", import.meta.url));
    started.addEventListener("message", ({ data }: MessageEvent<FromHashThread>) => {
      if (data.type === "hashed") contents.get(data.id)?.onHashed(data.buffer);
      else contents.get(data.id)?.onSums(data.sums);
    });
    const onEnd = (reason: string): void => {
      if (thread === started) stopThread(reason);
    };
    started.addEventListener("error", (event) => onEnd(event.message));
    started.addEventListener("close", () => onEnd("it was closed"));
    return started;
  }

  function stopThread(reason: string): void {
    clearTimeout(idle);
    const stopped = thread;
    thread = undefined;
    spare.length = 0;
    stopped?.terminate();
    const error = new Error(`The thread that hashes uploads has ended: ${reason}`);
    for (const content of contents.values()) content.onFailure(error);
    contents.clear();
  }

  function send(message: ToHashThread, transfer: ArrayBuffer[] = []): void {
    thread ??= startThread();
    thread.postMessage(message, transfer);
  }

  function add(content: Content): number {
    clearTimeout(idle);
    lastId += 1;
    contents.set(lastId, content);
    return lastId;
  }

  function remove(id: number): void {
    contents.delete(id);
    if (contents.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => stopThread("nothing to hash"), IDLE_MS);
    idle.unref();
  }

  function create(): UploadHash {
    let block: Uint8Array<ArrayBuffer> | undefined;
    let filled = 0;
    let store: StoreBytes | undefined;
    /** All blocks until now are stored and sent to the thread, in order. */
    let stored: Promise<void> = Promise.resolve();
    /** Those that are filled, stored or hashed. */
    let blocks = 0;
    let freed = Promise.withResolvers<void>();
    let failure: { readonly cause: unknown } | undefined;
    const sums = Promise.withResolvers<ContentSums>();
    sums.promise.catch(() => {});

    function fail(cause: unknown): void {
      failure ??= { cause };
      freed.resolve();
    }

    const id = add({
      onHashed(buffer) {
        blocks -= 1;
        if (spare.length < SPARE_BLOCKS) spare.push(buffer);
        freed.resolve();
      },
      onSums: sums.resolve,
      onFailure(error) {
        fail(error);
        sums.reject(error);
      },
    });

    /** Passes the bytes of the block on. */
    function sendBlock(): void {
      if (block === undefined) return;
      const { buffer } = block;
      const bytes = block.subarray(0, filled);
      const length = filled;
      const storeBytes = store;
      block = undefined;
      filled = 0;
      stored = stored.then(async () => {
        await storeBytes?.(bytes);
        if (contents.has(id)) send({ type: "block", id, buffer, length }, [buffer]);
      });
      stored.catch(fail);
    }

    async function waitUntil(isReached: () => boolean): Promise<void> {
      while (!isReached() && failure === undefined) {
        freed = Promise.withResolvers();
        await freed.promise;
      }
      if (failure !== undefined) throw failure.cause;
    }

    async function fill(chunk: Uint8Array): Promise<void> {
      for (let done = 0; done < chunk.byteLength; ) {
        if (failure !== undefined) throw failure.cause;
        if (block === undefined) {
          if (blocks === BLOCKS) await waitUntil(() => blocks < BLOCKS);
          block = new Uint8Array(spare.pop() ?? new ArrayBuffer(BLOCK_BYTES));
          blocks += 1;
        }
        const piece = chunk.subarray(done, done + BLOCK_BYTES - filled);
        block.set(piece, filled);
        filled += piece.byteLength;
        done += piece.byteLength;
        if (filled === BLOCK_BYTES) sendBlock();
      }
    }

    async function flush(): Promise<void> {
      sendBlock();
      await stored;
    }

    return {
      flush,
      update(chunk, storeBytes) {
        store = storeBytes;
        return fill(chunk);
      },
      async pause() {
        await flush();
        await waitUntil(() => blocks === 0);
      },
      async end() {
        if (failure !== undefined) throw failure.cause;
        await flush();
        send({ type: "end", id });
        try {
          return await sums.promise;
        } finally {
          remove(id);
        }
      },
      drop() {
        if (!contents.has(id)) return;
        send({ type: "drop", id });
        remove(id);
      },
    };
  }

  return { create, close: () => stopThread("the service is closing") };
}
