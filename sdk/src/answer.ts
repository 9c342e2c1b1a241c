import type { Envelope } from "../../contract/types.ts";
import { HoldallError } from "./error.ts";

/** What is needed of an answer, from `fetch` or from elsewhere. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** The envelope's `data`. Throws the failure in it, or what else the answer says. */
export function readAnswer<Data>({ status, text, retryAfter }: Answer): Data {
  const envelope = parseEnvelope<Data>(text);
  if (envelope !== undefined && envelope.error === null && status >= 200 && status < 300) {
    return envelope.data;
  }
  throw new HoldallError(status, envelope?.error?.message ?? withoutReason(status), {
    retryAfter: secondsOf(retryAfter),
  });
}

/** Throws the failure that a response tells of. Its body is read to the end. */
export async function refuse(response: Response): Promise<never> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    throw redirected(response);
  }
  const text = await response.text().catch(() => "");
  return readAnswer<never>({
    status: response.status,
    text: response.ok ? "" : text,
    retryAfter: response.headers.get("retry-after"),
  });
}

function redirected({ status, headers }: Response): HoldallError {
  const to = headers.get("location");
  return new HoldallError(
    status,
    `The server redirects${to === null ? "" : ` to ${to}`}: \`url\` must be the address it is reached at without a redirect.`,
  );
}

/** Something in between, such as a proxy, answers without the envelope. */
const withoutReason = (status: number): string =>
  status >= 200 && status < 300
    ? "The answer was not one of Holdall's: check that `url` is its address."
    : `The server answered with status ${status} and gave no reason.`;

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

/** `Retry-After` in seconds; a date, which Holdall never sends, counts as nothing. */
const secondsOf = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
