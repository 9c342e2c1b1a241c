import { Fault } from "../rules/fault.ts";

/** A longer answer is sent while it comes. */
const MOST_BYTES = 1024 * 1024;
/** With more requests under way, as many slow clients would keep as many answers in memory. */
const MOST_REQUESTS = 64;

/**
 * Whether an answer that comes as a stream is first awaited whole: the runtime tells the length of
 * what it has, and sends a stream in chunks, whatever its headers say.
 */
export const mayHoldWhole = (bytes: number, requestsUnderWay: number): boolean =>
  bytes <= MOST_BYTES && requestsUnderWay <= MOST_REQUESTS;

/** Fault "unavailable": it broke off. Then, there is still another answer to give. */
export async function holdWhole(body: ReadableStream<Uint8Array>, bytes: number): Promise<Blob> {
  const whole = await new Response(body).blob().catch(() => undefined);
  if (whole?.size === bytes) return whole;
  throw new Fault("unavailable", "The storage does not answer as it should. Try again shortly.", {
    retryAfter: 5,
  });
}
