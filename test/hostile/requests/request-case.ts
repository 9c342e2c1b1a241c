/*
 * Test cases for HTTP requests: the exact bytes that a client sends, and the expected outcome.
 */

export const KEY = "hostile-key-0123456789abcdef";

/** The content of the public file `/api/hosting/digits.txt` and of the private `secret.txt`. */
export const DIGITS = "0123456789";

export interface RequestCase {
  /** The RFC and its section, such as `9112 §3.2`. */
  readonly section: string;
  readonly title: string;
  /** One character for each byte. Several pieces are sent one after another. */
  readonly send: string | readonly string[];
  readonly outcome: Outcome;
}

export interface Outcome {
  /** The status of each response. */
  readonly statuses: readonly number[];
  /** kept: the server answers further requests on the connection. */
  readonly connection: "kept" | "closed";
  /** The number of `100 Continue` responses. Default: 0. */
  readonly continues?: number;
  /** The body of the last response. */
  readonly body?: string | RegExp;
  /** Headers of the last response. null: must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

type Details = Pick<Outcome, "continues" | "body" | "headers">;

/** One response, after which the connection stays open. */
export const kept = (status: number, details: Details = {}): Outcome => ({
  statuses: [status],
  connection: "kept",
  ...details,
});

/** One response, after which the server closes the connection. */
export const closed = (status: number, details: Details = {}): Outcome => ({
  statuses: [status],
  connection: "closed",
  ...details,
});

/** A request head with a Host header. */
export function head(method: string, target: string, ...lines: string[]): string {
  return [`${method} ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
}

export const get = (target: string, ...lines: string[]): string => head("GET", target, ...lines);

/** The head of a request with a JSON body. The response to the body `{}` is `bodyIsEmptyObject`. */
export const post = (...lines: string[]): string =>
  head("POST", "/api/folders", `API-Key: ${KEY}`, "Content-Type: application/json", ...lines);

/** The response to the body `{}`: proves that the server read exactly these bytes. */
export const bodyIsEmptyObject: Details = { body: /`folder` is missing/ };

/** A request with a chunked body; `encoded` has the body as sent, with sizes and line breaks. */
export const chunked = (encoded: string, ...lines: string[]): string =>
  `${post("Transfer-Encoding: chunked", ...lines)}${encoded}`;

export const HEALTH = "/api/health";
