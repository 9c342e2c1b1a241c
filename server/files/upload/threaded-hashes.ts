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

/**
 * Each request to the thread, and each one to the disk, costs as much as hashing 50 KB: with 256 KB, 1 GB
 * takes a tenth longer.
 */
const BLOCK_BYTES = 512 * 1024;
/** One block is filled while another is stored and a third one hashed. */
const BLOCKS = 3;
/** Once all contents together have this many blocks, none gets a second one. */
const AMPLE_BLOCKS = 24;
/**
 * Blocks kept for the next contents. Others wait for the garbage collections of both threads: with 8,
 * 400 open uploads took up to 35 MB more than 200.
 */
const SPARE_BLOCKS = 24;
/** The thread takes several megabytes, so it ends when there was nothing to hash for this long. */
const IDLE_MS = 10_000;

/**
 * Memory of both threads. A buffer that is transferred is a new object on the other side, and its bytes
 * count as newly allocated: with transfers, uploads of 1 GB took half as long again, for garbage collections.
 */
type Block = Uint8Array<SharedArrayBuffer>;

/** A content that is being hashed. */
interface Content {
  onHashed(block: number): void;
  onSums(sums: ContentSums): void;
  onFailure(error: Error): void;
}

export function createThreadedHashes(): ThreadedHashes {
  const contents = new Map<number, Content>();
  const spare: Block[] = [];
  /** The number of blocks that contents have. */
  let held = 0;
  let thread: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function startThread(): Worker {
    const started = new Worker(new URL("./hash-thread.ts", import.meta.url));
    started.addEventListener("message", ({ data }: MessageEvent<FromHashThread>) => {
      if (data.type === "hashed") contents.get(data.id)?.onHashed(data.block);
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
    stopped?.terminate();
    const error = new Error(`The thread that hashes uploads has ended: ${reason}`);
    for (const content of contents.values()) content.onFailure(error);
    contents.clear();
    spare.length = 0;
  }

  function send(message: ToHashThread): void {
    thread ??= startThread();
    thread.postMessage(message);
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
    const blocks: Block[] = [];
    /** The buffers that are neither filled, stored nor hashed. */
    const free: number[] = [];
    let filling: { readonly block: number; readonly memory: Block } | undefined;
    let filled = 0;
    let store: StoreBytes | undefined;
    /** All blocks until now are stored and sent to the thread, in order. */
    let stored: Promise<void> = Promise.resolve();
    let freed = Promise.withResolvers<void>();
    let failure: { readonly cause: unknown } | undefined;
    const sums = Promise.withResolvers<ContentSums>();
    sums.promise.catch(() => {});

    function wake(): void {
      const { resolve } = freed;
      freed = Promise.withResolvers();
      resolve();
    }

    function fail(cause: unknown): void {
      failure ??= { cause };
      wake();
    }

    const id = add({
      onHashed(block) {
        free.push(block);
        wake();
      },
      onSums: sums.resolve,
      onFailure(error) {
        fail(error);
        giveBack();
        sums.reject(error);
      },
    });

    async function waitUntil(isReached: () => boolean): Promise<void> {
      while (!isReached() && failure === undefined) await freed.promise;
      if (failure !== undefined) throw failure.cause;
    }

    function mayAddBlock(): boolean {
      return blocks.length === 0 || (blocks.length < BLOCKS && held < AMPLE_BLOCKS);
    }

    function addBlock(): void {
      held += 1;
      const block = spare.pop() ?? new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES));
      free.push(blocks.length);
      blocks.push(block);
      send({ type: "share", id, memory: block.buffer });
    }

    /** Other contents may use the blocks, unless some are still filled, stored or hashed. */
    function giveBack(): void {
      if (free.length === blocks.length)
        spare.push(...blocks.slice(0, SPARE_BLOCKS - spare.length));
      held -= blocks.length;
      blocks.length = 0;
      free.length = 0;
    }

    /** Passes the bytes of the block on. */
    function sendBlock(): void {
      if (filling === undefined) return;
      const { block, memory } = filling;
      const length = filled;
      const storeBytes = store;
      filling = undefined;
      filled = 0;
      stored = stored.then(async () => {
        await storeBytes?.(memory.subarray(0, length));
        if (contents.has(id)) send({ type: "hash", id, block, length });
      });
      stored.catch(fail);
    }

    async function fill(chunk: Uint8Array): Promise<void> {
      for (let done = 0; done < chunk.byteLength; ) {
        if (failure !== undefined) throw failure.cause;
        if (filling === undefined) {
          if (free.length === 0 && mayAddBlock()) addBlock();
          if (free.length === 0) await waitUntil(() => free.length > 0);
          const block = free.shift();
          const memory = block === undefined ? undefined : blocks[block];
          if (block !== undefined && memory !== undefined) filling = { block, memory };
          continue;
        }
        const piece = chunk.subarray(done, done + BLOCK_BYTES - filled);
        filling.memory.set(piece, filled);
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
        const isIdle = (): boolean => free.length === blocks.length;
        await waitUntil(isIdle);
        // An update may have taken a block between the check and this line.
        if (!isIdle()) return;
        giveBack();
        send({ type: "unshare", id });
      },
      async end() {
        await flush();
        if (failure !== undefined) throw failure.cause;
        send({ type: "end", id });
        try {
          return await sums.promise;
        } finally {
          giveBack();
          remove(id);
        }
      },
      drop() {
        if (!contents.has(id)) return;
        fail(new Error("This hash was dropped."));
        filling = undefined;
        giveBack();
        send({ type: "drop", id });
        remove(id);
      },
    };
  }

  return { create, close: () => stopThread("the service is closing") };
}
