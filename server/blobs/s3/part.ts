import type { FileHandle } from "node:fs/promises";
import { createDigest } from "../../runtime/hash.ts";
import { diskFault } from "../disk/disk-fault.ts";
import type { TakeChunk } from "../port.ts";
import type { S3Body } from "./s3-client.ts";
import { type Staging, streamOf } from "./staging.ts";

/** One part of a multipart upload. */
export interface Part {
  readonly length: number;
  /** The caller may reuse the chunk once this resolves. */
  add(chunk: Uint8Array): Promise<void>;
  /** Passes the added bytes to `take`, in chunks that may be reused once `take` has resolved. */
  read(take: TakeChunk): Promise<void>;
  /** The added bytes, for any number of attempts. Do not call `add` afterwards. */
  body(): S3Body;
}

/** Parts up to this size stay in memory. */
const MAX_IN_MEMORY = 128 * 1024;

export interface Parts {
  /** A new part, which overwrites the previous part in this half of the file. */
  next(half: 0 | 1): Part;
  close(): Promise<void>;
}

/**
 * Buffers two parts of a blob at a time: one is sent while the other is filled. Small parts stay in
 * memory, others in a staging file that is opened on demand. `maxBytes` is the maximum size of a part.
 */
export function createParts(staging: Staging, maxBytes: number): Parts {
  let opening: Promise<FileHandle> | undefined;

  async function writeAll(start: number, bytes: Uint8Array): Promise<void> {
    opening ??= staging.open();
    const file = await opening;
    try {
      for (let done = 0; done < bytes.byteLength; ) {
        const left = bytes.byteLength - done;
        const { bytesWritten } = await file.write(bytes, done, left, start + done);
        if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
        done += bytesWritten;
      }
    } catch (error) {
      throw diskFault(error);
    }
  }

  return {
    next(half) {
      const start = half * maxBytes;
      const hash = createDigest("sha256");
      let memory: Uint8Array[] = [];
      let length = 0;
      let written = 0;
      let sha256: string | undefined;
      return {
        get length() {
          return length;
        },
        async add(chunk) {
          hash.update(chunk);
          length += chunk.byteLength;
          if (length <= MAX_IN_MEMORY) {
            // A copy. `slice` of a Buffer would be a view.
            memory.push(new Uint8Array(chunk));
            return;
          }
          const kept = memory;
          memory = [];
          for (const bytes of [...kept, chunk]) {
            await writeAll(start + written, bytes);
            written += bytes.byteLength;
          }
        },
        async read(take) {
          for (const bytes of memory) await take(bytes);
          if (written === 0 || opening === undefined) return;
          for await (const chunk of streamOf(opening, start, length)) await take(chunk);
        },
        body() {
          sha256 ??= hash.digest("hex");
          const bytes = Buffer.concat(memory);
          const file = opening;
          return {
            length,
            sha256,
            open: () =>
              written === 0 || file === undefined ? bytes : streamOf(file, start, length),
          };
        },
      };
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
