import { Fault } from "../rules/fault.ts";

/** A request that is slower than this for a whole window is ended. */
export interface MinimumPace {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

const PACE: MinimumPace = { bytesPerSecond: 1000, windowMs: 60_000 };

/**
 * The chunks of a request's body. Throws what `signal` is aborted with, the runtime's error when the
 * connection is closed, or the fault "too_slow". Only the time in which the server waits for the client
 * counts.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
  pace = PACE,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  let bytes = 0;
  let waitedMs = 0;
  let isDone = false;
  try {
    for (;;) {
      const from = performance.now();
      const { done, value } = await nextChunk(reader, signal, pace.windowMs);
      isDone = done;
      if (value === undefined) return;
      waitedMs += performance.now() - from;
      bytes += value.length;
      yield value;
      if (waitedMs < pace.windowMs) continue;
      if (bytes * 1000 < pace.bytesPerSecond * waitedMs) throw tooSlow();
      bytes = 0;
      waitedMs = 0;
    }
  } finally {
    if (!isDone) reader.cancel().catch(() => {});
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Chunk = Awaited<ReturnType<Reader["read"]>>;

/** A promise of its own for each chunk: a shared one would keep the reactions of all chunks. */
function nextChunk(reader: Reader, signal: AbortSignal, timeoutMs: number): Promise<Chunk> {
  const { promise, resolve, reject } = Promise.withResolvers<Chunk>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  const timer = setTimeout(() => reject(tooSlow()), timeoutMs);
  reader.read().then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

const tooSlow = (): Fault =>
  new Fault(
    "too_slow",
    `The body arrived more slowly than ${PACE.bytesPerSecond} bytes per second. Ask for the offset and continue there.`,
  );
