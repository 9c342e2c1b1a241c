import type { Envelope } from "../../../contract/envelope.ts";
import { failing, HoldallError } from "./error.ts";

/** The parts of a response that matter, from `fetch` or XMLHttpRequest. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Returns the envelope's `data`. Throws a `HoldallError` for a failure and for any other response. */
export function readEnvelope<Data>({ status, text, headers }: RawResponse): Data {
  const envelope = parseEnvelope<Data>(text);
  if (envelope?.error === null && isSuccess(status)) {
    return envelope.data;
  }
  throw new HoldallError(status, envelope?.error?.message ?? unknownReason(status), {
    ...envelope?.error,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: secondsOf(headers.get("retry-after")),
  });
}

/** The `data` of a response to `fetch`. */
export async function envelopeOf<Data>(response: Response): Promise<Data> {
  const { status, headers } = response;
  return readEnvelope<Data>({ status, text: await response.text().catch(throwCut), headers });
}

/** A connection that closes within a response counts as no response. */
export const throwCut = (cause: unknown): never =>
  failing("The connection closed before the response was complete.", 0)(cause);

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Throws the failure in a response, after reading its body to the end. */
export async function throwFailure(response: Response): Promise<never> {
  const { status, headers, type } = response;
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const to = headers.get("location");
    throw new HoldallError(
      status,
      `The server redirects${to ? ` to ${to}` : ""}: set \`url\` to the final URL.`,
    );
  }
  return readEnvelope<never>({ status, text: await response.text().catch(() => ""), headers });
}

/** The text of responses without the envelope, such as a proxy's. */
const unknownReason = (status: number): string =>
  isSuccess(status)
    ? "The response does not come from Holdall: check `url`."
    : `The server responded with status ${status} and no error message.`;

/** undefined: it is something else. */
function parseEnvelope<Data>(text: string): Envelope<Data> | undefined {
  try {
    const envelope: Envelope<Data> = JSON.parse(text);
    const { data, error } = envelope;
    const isEnvelope =
      error === null
        ? typeof data === "object" && data !== null
        : data !== undefined && typeof error.message === "string";
    return isEnvelope ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds. A proxy may send a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? "")
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter ?? "") - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
