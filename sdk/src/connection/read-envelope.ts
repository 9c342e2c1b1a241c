import type { Envelope } from "../../../contract/envelope.ts";
import { HoldallError } from "./error.ts";

/** The parts of a response that matter, from `fetch` or XMLHttpRequest. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Returns the envelope's `data`. Throws a `HoldallError` for a failure and for any other response. */
export function readEnvelope<Data>({ status, text, headers }: RawResponse): Data {
  const envelope = parseEnvelope<Data>(text);
  if (envelope !== undefined && envelope.error === null && status >= 200 && status < 300) {
    return envelope.data;
  }
  throw new HoldallError(status, envelope?.error?.message ?? unknownReason(status), {
    ...envelope?.error,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: secondsOf(headers.get("retry-after")),
  });
}

/** Throws the failure in a response, after reading its body to the end. */
export async function throwFailure(response: Response): Promise<never> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    throw redirected(response);
  }
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  return readEnvelope<never>({ status, text: response.ok ? "" : text, headers });
}

function redirected({ status, headers }: Response): HoldallError {
  const to = headers.get("location");
  return new HoldallError(
    status,
    `The server redirects${to === null ? "" : ` to ${to}`}: set \`url\` to the URL that responds without a redirect.`,
  );
}

/** The text of responses without the envelope, such as a proxy's. */
const unknownReason = (status: number): string =>
  status >= 200 && status < 300
    ? "The response does not come from Holdall: check that `url` is the URL of a Holdall server."
    : `The server responded with status ${status} and no error message.`;

function parseEnvelope<Data>(text: string): Envelope<Data> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope<Data>(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEnvelope<Data>(value: unknown): value is Envelope<Data> {
  if (typeof value !== "object" || value === null) return false;
  if (!("data" in value && "error" in value)) return false;
  const { data, error } = value;
  if (error === null) return typeof data === "object" && data !== null;
  return typeof error === "object" && "message" in error && typeof error.message === "string";
}

/** `Retry-After` in seconds. A proxy may send a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
