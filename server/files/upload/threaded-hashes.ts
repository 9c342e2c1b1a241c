import type { ContentSums } from "./content-hash.ts";
import type { FromHashThread, ToHashThread } from "./hash-thread.ts";

/** The hash of one content. To be ended with `end` or `drop`. */
export interface UploadHash {
  /** Copies the chunk, so that the caller may reuse it. Waits while too much is yet to be hashed. */
  update(chunk: Uint8Array): Promise<void> | void;
  /** The sums of all chunks. */
  end(): Promise<ContentSums> | ContentSums;
  /** Hashes all chunks and releases the memory for further ones, until the next update. */
  pause(): Promise<void>;
  /** Ends the hash without a result. Does nothing once it has ended. */
  drop(): void;
}

/** Hashes contents on a thread, which it starts when it is needed. */
export interface ThreadedHashes {
  create(): UploadHash;
  /** Ends the thread. Contents that are being hashed fail. */
  close(): void;
}

/** Each request to the thread costs as much as hashing 100 KB. */
const BLOCK_BYTES = 256 * 1024;
/** One block is hashed while the next is filled. */
const BLOCKS = 2;
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
    let allocated = 0;
    let failure: Error | undefined;
    const free: ArrayBuffer[] = [];
    let returned = Promise.withResolvers<void>();
    const sums = Promise.withResolvers<ContentSums>();
    sums.promise.catch(() => {});

    const id = add({
      onHashed(buffer) {
        free.push(buffer);
        returned.resolve();
      },
      onSums: sums.resolve,
      onFailure(error) {
        failure = error;
        sums.reject(error);
        returned.resolve();
      },
    });

    function sendBlock(): void {
      if (block === undefined) return;
      const { buffer } = block;
      send({ type: "block", id, buffer, length: filled }, [buffer]);
      block = undefined;
      filled = 0;
    }

    /** Waits for a block that the thread has hashed, unless another may be allocated. */
    async function nextBlock(): Promise<Uint8Array<ArrayBuffer>> {
      if (allocated < BLOCKS) {
        allocated += 1;
        return new Uint8Array(BLOCK_BYTES);
      }
      await waitForFree(1);
      return new Uint8Array(free.pop() ?? new ArrayBuffer(BLOCK_BYTES));
    }

    async function waitForFree(count: number): Promise<void> {
      while (free.length < count && failure === undefined) {
        returned = Promise.withResolvers();
        await returned.promise;
      }
      if (failure !== undefined) throw failure;
    }

    return {
      async update(chunk) {
        for (let done = 0; done < chunk.byteLength; ) {
          if (failure !== undefined) throw failure;
          block ??= await nextBlock();
          const piece = chunk.subarray(done, done + BLOCK_BYTES - filled);
          block.set(piece, filled);
          filled += piece.byteLength;
          done += piece.byteLength;
          if (filled === BLOCK_BYTES) sendBlock();
        }
      },
      async pause() {
        sendBlock();
        await waitForFree(allocated);
        free.length = 0;
        allocated = 0;
      },
      async end() {
        if (failure !== undefined) throw failure;
        sendBlock();
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
