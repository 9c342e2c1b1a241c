import type { FileRecord } from "../domain/records.ts";
import type { ObjectsDeps } from "./deps.ts";

/** Computes the SHA-256 of objects that were completed from parts, one after another. */
export interface BackgroundDigests {
  add(file: FileRecord): void;
  /** Ends after the current chunk. The scrub computes what is left. */
  close(): Promise<void>;
}

/** More are left to the scrub. */
const MAX_WAITING = 1000;

export function createBackgroundDigests({
  catalog,
  blobs,
  storage,
  onError,
}: Pick<ObjectsDeps, "catalog" | "blobs" | "storage" | "onError">): BackgroundDigests {
  const waiting: FileRecord[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  async function digest({ id: fileId, blobId }: FileRecord): Promise<void> {
    const hash = storage.hashes.create();
    try {
      const outcome = await blobs.scan(blobId, async (chunk) => {
        if (closed) throw new Closed();
        await hash.update(chunk);
      });
      if (outcome !== "whole") return;
      const { sha256 } = await hash.end();
      await catalog.addDigests([{ fileId, blobId, sha256 }]);
    } finally {
      hash.drop();
    }
  }

  async function run(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      try {
        await digest(file);
      } catch (error) {
        if (closed) return;
        onError("Could not compute the SHA-256 of an object; the scrub will", error);
      }
    }
  }

  return {
    add(file) {
      if (closed || waiting.length >= MAX_WAITING) return;
      waiting.push(file);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    async close() {
      closed = true;
      waiting.length = 0;
      await running;
    },
  };
}

class Closed extends Error {}
