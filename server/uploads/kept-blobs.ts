import type { GrowingBlob } from "../blobs/port.ts";

/**
 * Growing blobs that stay open between two requests to an upload whose claim this process holds: the
 * next chunk usually follows at once, and opening a file takes as long as storing a megabyte.
 */
export interface KeptBlobs {
  /** Removes the blob of an upload that has `offset` bytes; undefined: it is not here. The caller closes it. */
  take(uploadId: string, offset: number): GrowingBlob | undefined;
  /** Keeps a blob whose first `offset` bytes, and no others, are durable and recorded. Closes it soon. */
  keep(uploadId: string, offset: number, blob: GrowingBlob): void;
  drop(uploadId: string): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly offset: number;
  readonly blob: GrowingBlob;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Each one has a descriptor. */
const MAX_BLOBS = 64;
const KEPT_MS = 2000;

export function createKeptBlobs(): KeptBlobs {
  const entries = new Map<string, Entry>();

  function remove(uploadId: string): Entry | undefined {
    const entry = entries.get(uploadId);
    entries.delete(uploadId);
    clearTimeout(entry?.timer);
    return entry;
  }

  const drop = async (uploadId: string): Promise<void> => remove(uploadId)?.blob.close();

  return {
    take(uploadId, offset) {
      const entry = remove(uploadId);
      if (entry?.offset === offset) return entry.blob;
      void entry?.blob.close();
      return undefined;
    },
    keep(uploadId, offset, blob) {
      const [oldest] = entries.keys();
      if (entries.size >= MAX_BLOBS && oldest !== undefined) void drop(oldest);
      const timer = setTimeout(() => void drop(uploadId), KEPT_MS);
      timer.unref();
      entries.set(uploadId, { offset, blob, timer });
    },
    drop,
    async close() {
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}
