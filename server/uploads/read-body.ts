import { createBodyPace, MINIMUM_PACE } from "../domain/body-pace.ts";
import { bodyCut } from "../domain/faults/connection-closed.ts";
import type { Fault } from "../domain/faults/fault.ts";
import { freeMemory } from "../lib/free-memory.ts";

/**
 * Reads the body of a request from the moment it is created: the runtime drops what has arrived but was
 * not read when the connection breaks.
 */
export interface BodyReader {
  /**
   * The chunks, each valid until the next one is requested. Throws what `signal` is aborted with,
   * `ConnectionClosed` after the last chunk that has arrived, or the fault "too_slow".
   */
  chunks(signal: AbortSignal): AsyncGenerator<Uint8Array, void, void>;
  /** Drops the rest of the body. To be called at the end, whatever happened. */
  close(): void;
}

/** Chunks are read ahead until they have this many bytes. */
const READ_AHEAD = 256 * 1024;

export function createBodyReader(
  body: ReadableStream<Uint8Array> | null,
  minimum = MINIMUM_PACE,
): BodyReader {
  const reader = body?.getReader();
  const queue: Uint8Array[] = [];
  let queued = 0;
  let end: { readonly error: Fault | undefined } | undefined;
  let onNews = (): void => {};
  let onRoom = (): void => {};

  async function readAhead(): Promise<void> {
    try {
      for (;;) {
        const chunk = await reader?.read();
        if (chunk?.value === undefined) break;
        queue.push(chunk.value);
        queued += chunk.value.length;
        onNews();
        if (queued < READ_AHEAD) continue;
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
      }
      end = { error: undefined };
    } catch (error) {
      end = { error: bodyCut(error) };
    }
    onNews();
  }

  function take(): Uint8Array | undefined {
    const chunk = queue.shift();
    queued -= chunk?.length ?? 0;
    if (queued < READ_AHEAD) onRoom();
    return chunk;
  }

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    const pace = createBodyPace(minimum);
    const wake = (): void => onNews();
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        const chunk = take();
        if (chunk !== undefined) {
          pace.count(chunk.length);
          yield chunk;
          freeMemory(chunk);
        } else if (end === undefined) {
          const news = new Promise<void>((resolve) => {
            onNews = resolve;
          });
          await pace.wait(news);
        } else {
          if (end.error !== undefined) throw end.error;
          return;
        }
      }
    } finally {
      pace.end();
      signal.removeEventListener("abort", wake);
    }
  }

  void readAhead();
  return {
    chunks,
    close() {
      if (end === undefined) reader?.cancel().catch(() => {});
      onRoom();
    },
  };
}
