import { Fault } from "../../rules/fault.ts";
import { MINIMUM_PACE, type MinimumPace } from "../../uploads/read-body.ts";

/**
 * The chunks of a body from somebody unknown. Only the time in which the server waits for the client
 * counts. Fault "too_slow".
 */
export async function* pacedBody(
  body: AsyncGenerator<Uint8Array, void, void>,
  pace = MINIMUM_PACE,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  let waitedMs = 0;
  let isWaiting = false;
  try {
    for (;;) {
      const from = performance.now();
      isWaiting = true;
      const next = await within(body.next(), pace.windowMs - waitedMs, () => tooSlow(pace));
      isWaiting = false;
      if (next.done) return;
      waitedMs += performance.now() - from;
      bytes += next.value.length;
      yield next.value;
      if (waitedMs < pace.windowMs / 2) continue;
      if (bytes * 1000 < pace.bytesPerSecond * waitedMs) throw tooSlow(pace);
      bytes = 0;
      waitedMs = 0;
    }
  } finally {
    const ended = body.return();
    // While a chunk is awaited, the end would be awaited too.
    if (isWaiting) ended.catch(() => {});
    else await ended;
  }
}

async function within<T>(promise: Promise<T>, ms: number, fault: () => Fault): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(fault()), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = ({ bytesPerSecond }: MinimumPace): Fault =>
  new Fault("too_slow", `The form arrived more slowly than ${bytesPerSecond} bytes per second.`);
