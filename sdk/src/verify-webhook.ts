import type { ChangeObject } from "../../contract/api.ts";

/** A change of a file or folder. */
export interface ChangeEvent {
  readonly type: ChangeObject["kind"];
  /** ISO 8601. */
  readonly timestamp: string;
  /**
   * A change of the feed. `isShortened`: the keys are so long that `file` and `folder` were left out; fetch them by
   * `id`.
   */
  readonly data: ChangeObject & { readonly isShortened?: true };
}

/** Another event: changes are missing (`feed.gap`), a test, or trouble of the instance. */
export interface OtherEvent {
  readonly type: "feed.gap" | "webhook.test" | "backup.failed" | "scrub.findings";
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookEvent = ChangeEvent | OtherEvent;

/** The signature of a delivery is missing, wrong or too old. Answer 400 or 401. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

/** Headers of a request: a `Headers`, or Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The most seconds between the clocks of the server and of the receiver. Default: 300. */
  readonly tolerance?: number | undefined;
}

const PREFIX = "whsec_";

/**
 * Checks that a delivery comes from the webhook with this secret, and returns the event. `body` is the body of the
 * request as it arrived, not parsed. While a secret is rotated, either of the two is right. Rejects with
 * `WebhookSignatureError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1000 - seconds) <= tolerance)) {
    throw new WebhookSignatureError("The delivery is too old, or the clocks differ.");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of signatures.split(" ")) {
    const [version, signature = ""] = each.split(",");
    if (version !== "v1") continue;
    // Compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, bytesOf(signature), content)) {
      return JSON.parse(text);
    }
  }
  throw new WebhookSignatureError("No signature of the delivery is right.");
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookSignatureError(`The delivery has no header ${name}.`);
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === "function";

/** The bytes of base64; none if it is malformed. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
