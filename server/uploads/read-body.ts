import { bodyCut } from "../rules/connection-closed.ts";
import { Fault } from "../rules/fault.ts";
import { freeMemory } from "../rules/free-memory.ts";

/** A request that is slower than this for a whole window is ended. */
export interface MinimumPace {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * Reads the body of a request from the moment it is created: the runtime drops what has arrived but was
 * not read when the connection breaks.
 */
export interface BodyReader {
  /**
   * The chunks, each valid until the next one is requested. Throws what `signal` is aborted with, `ConnectionClosed` after the last chunk that has
   * arrived, or the fault "too_slow". Only the time in which the server waits for the client
   * counts.
   */
  chunks(signal: AbortSignal): AsyncGenerator<Uint8Array, void, void>;
  /** Drops the rest of the body. To be called at the end, whatever happened. */
  close(): void;
}

export const MINIMUM_PACE: MinimumPace = { bytesPerSecond: 1000, windowMs: 60_000 };
/** Chunks are read ahead until they have this many bytes. */
const READ_AHEAD = 256 * 1024;

export function createBodyReader(
  body: ReadableStream<Uint8Array> | null,
  pace = MINIMUM_PACE,
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
    let bytes = 0;
    let waitedMs = 0;
    let isSilent = false;
    const wake = (): void => onNews();
    // One timer and one listener for all waits: a large body has thousands.
    const timer = setTimeout(() => {
      isSilent = true;
      wake();
    }, pace.windowMs);
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        const chunk = take();
        if (chunk !== undefined) {
          bytes += chunk.length;
          yield chunk;
          freeMemory(chunk);
        } else if (end !== undefined) {
          if (end.error !== undefined) throw end.error;
          return;
        } else {
          const from = performance.now();
          isSilent = false;
          timer.refresh();
          await new Promise<void>((resolve) => {
            onNews = resolve;
          });
          waitedMs += performance.now() - from;
          if (isSilent) throw tooSlow(pace);
        }
        if (waitedMs < pace.windowMs) continue;
        if (bytes * 1000 < pace.bytesPerSecond * waitedMs) throw tooSlow(pace);
        bytes = 0;
        waitedMs = 0;
      }
    } finally {
      clearTimeout(timer);
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

const tooSlow = ({ bytesPerSecond }: MinimumPace): Fault =>
  new Fault(
    "too_slow",
    `The body arrived more slowly than ${bytesPerSecond} bytes per second. Ask for the offset and continue there.`,
  );
