/** A body that is announced to have at most this many bytes is read whole: a stream takes longer. */
const SMALL_BYTES = 64 * 1024;

/** The chunks of a request's body. Rejects when the connection breaks before its end. */
export async function* bodyOf(request: Request): AsyncGenerator<Uint8Array, void, void> {
  // Without a length, the body may have any size.
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (length <= SMALL_BYTES) {
    if (length > 0) yield await request.bytes();
  } else if (request.body !== null) {
    yield* request.body;
  }
}
