import { type BodyPace, createBodyPace, MINIMUM_PACE } from "../../domain/body-pace.ts";

/** A body that is announced to have at most this many bytes is read whole: a stream takes longer. */
const SMALL_BYTES = 64 * 1024;

/**
 * The chunks of a request's body. Rejects when the connection breaks before its end. Fault "too_slow": it
 * arrives more slowly than `minimum`.
 */
export async function* bodyOf(
  request: Request,
  minimum = MINIMUM_PACE,
): AsyncGenerator<Uint8Array, void, void> {
  // Without a length, the body may have any size.
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (length === 0) return;
  if (length <= SMALL_BYTES) {
    // The runtime does not say how much has arrived, so a body that is just fast enough counts as well.
    const slowestMs = (length * 1000) / minimum.bytesPerSecond;
    const pace = createBodyPace({ ...minimum, silenceMs: Math.max(minimum.silenceMs, slowestMs) });
    try {
      yield await pace.wait(request.bytes());
    } finally {
      pace.end();
    }
  } else if (request.body !== null) {
    yield* chunksOf(request.body.getReader(), createBodyPace(minimum));
  }
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  pace: BodyPace,
): AsyncGenerator<Uint8Array, void, void> {
  let isEnded = false;
  try {
    for (;;) {
      const { value } = await pace.wait(reader.read());
      isEnded = value === undefined;
      if (value === undefined) return;
      pace.count(value.length);
      yield value;
    }
  } finally {
    pace.end();
    if (!isEnded) reader.cancel().catch(() => {});
  }
}
