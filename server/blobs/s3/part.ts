import type { FileHandle } from "node:fs/promises";
import { diskFault } from "../disk/disk-fault.ts";
import type { S3Body } from "./s3-client.ts";
import { type Staging, streamOf } from "./staging.ts";

/** Bytes of one blob that will be sent together. */
export interface Part {
  readonly length: number;
  /** The chunk may be reused once it resolves. */
  add(chunk: Uint8Array): Promise<void>;
  /** What was added, as often as it is wanted; nothing may be added after that. */
  body(): S3Body;
}

/** Up to so many bytes stay in memory. */
const IN_MEMORY = 128 * 1024;

export interface Parts {
  /** A part whose bytes lie in this half of the file; the one that lay there before is gone. */
  next(half: 0 | 1): Part;
  close(): Promise<void>;
}

/**
 * The parts of one blob, two at a time: one that is sent while the other is filled. Small ones are
 * in memory, the others in a file that is opened then. `mostBytes` is the most that a part may have.
 */
export function createParts(staging: Staging, mostBytes: number): Parts {
  let opening: Promise<FileHandle> | undefined;

  async function writeAll(start: number, bytes: Uint8Array): Promise<void> {
    opening ??= staging.open();
    const file = await opening;
    try {
      for (let done = 0; done < bytes.byteLength; ) {
        const left = bytes.byteLength - done;
        const { bytesWritten } = await file.write(bytes, done, left, start + done);
        if (bytesWritten === 0) throw new Error("The disk took none of the bytes.");
        done += bytesWritten;
      }
    } catch (error) {
      throw diskFault(error);
    }
  }

  return {
    next(half) {
      const start = half * mostBytes;
      const hash = new Bun.CryptoHasher("sha256");
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
          if (length <= IN_MEMORY) {
            // Not `slice`, which on a Buffer is a view.
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
