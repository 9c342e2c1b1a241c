import { Fault } from "../../domain/faults/fault.ts";

/** Longer bodies are streamed. */
const MAX_BYTES = 1024 * 1024;
/** Limits the memory that slow clients can take up: each of them holds one buffered body. */
const MAX_REQUESTS = 64;

/**
 * Whether to buffer a body that comes as a stream. The runtime sends `Content-Length` with a
 * buffered body, but sends a stream in chunks, whatever its headers say.
 */
export const mayBuffer = (bytes: number, pendingRequests: number): boolean =>
  bytes <= MAX_BYTES && pendingRequests <= MAX_REQUESTS;

/** Fault "unavailable": the stream broke off, and no header has been sent yet. */
export async function bufferResponse(
  body: ReadableStream<Uint8Array>,
  bytes: number,
): Promise<Blob> {
  const whole = await new Response(body).blob().catch(() => undefined);
  if (whole?.size === bytes) return whole;
  throw new Fault("unavailable", "The file storage did not return the file. Try again shortly.", {
    retryAfter: 5,
  });
}
