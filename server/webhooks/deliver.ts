import type { Outgoing, OutgoingResponse } from "../outgoing/outgoing.ts";
import { OutgoingFailure } from "../outgoing/outgoing-failure.ts";
import { signMessage } from "../semantics/webhook-signature.ts";
import { bodyOf, type WebhookEvent } from "./webhook-event.ts";

/** One attempt to deliver an event. */
export interface Attempt {
  readonly isDelivered: boolean;
  /** The receiver does not want events any more. */
  readonly isGone: boolean;
  /** null: there was no response. */
  readonly status: number | null;
  readonly ms: number;
  /** null: it was delivered. */
  readonly error: string | null;
  /** The beginning of the response's body. */
  readonly response: string | null;
  /** How long the receiver asks to wait; null: it does not. */
  readonly retryAfterMs: number | null;
}

export interface Delivering {
  readonly outgoing: Pick<Outgoing, "send" | "checkUrl">;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** A lease of the sender lasts longer. */
const DELIVERY_MS = 10_000;
const RESPONSE_BYTES = 1024;
/** Nobody waits for a response's body. */
const RESPONSE_IDLE_MS = 1000;

/** Never rejects. */
export async function deliver(
  event: WebhookEvent,
  { outgoing, url, secrets, signal }: Delivering,
): Promise<Attempt> {
  const begin = performance.now();
  const body = bodyOf(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const failed = { isDelivered: false, isGone: false, retryAfterMs: null, response: null };
  const elapsedMs = (): number => Math.round(performance.now() - begin);
  try {
    const response = await outgoing.send({
      url: outgoing.checkUrl(url),
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": event.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signMessage({ id: event.id, timestamp, body }, secrets),
      },
      body,
      headersMs: DELIVERY_MS,
      totalMs: DELIVERY_MS,
      idleMs: RESPONSE_IDLE_MS,
      signal,
    });
    const ms = elapsedMs();
    const { status } = response;
    const isDelivered = status >= 200 && status < 300;
    return {
      isDelivered,
      isGone: status === 410,
      status,
      ms,
      error: isDelivered ? null : explain(status),
      response: await beginningOf(response),
      retryAfterMs: retryAfterOf(response),
    };
  } catch (cause) {
    const error = cause instanceof OutgoingFailure ? cause.message : "The delivery failed.";
    return { ...failed, status: null, ms: elapsedMs(), error };
  }
}

function explain(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver redirects (${status}), which is not followed.`;
  return `The receiver answered ${status}.`;
}

async function beginningOf(response: OutgoingResponse): Promise<string | null> {
  if (response.header("content-encoding") !== undefined) {
    response.close();
    return null;
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body) {
      parts.push(part.subarray(0, RESPONSE_BYTES - length));
      length += part.length;
      if (length >= RESPONSE_BYTES) break;
    }
  } catch {
    // What has arrived is shown.
  }
  // PostgreSQL cannot store NUL.
  const text = Buffer.concat(parts).toString().replaceAll("\0", "\u{FFFD}");
  return text === "" ? null : text;
}

/** The time that seconds or a date name; null also for other texts. */
function retryAfterOf(response: OutgoingResponse): number | null {
  const value = response.header("retry-after") ?? "";
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : null;
}
