/*
 * The vocabulary of the table of requests: what goes over the wire, byte for byte, and what must
 * come of it.
 */

export const KEY = "hostile-key-0123456789abcdef";

/** The content of the public file `/api/hosting/digits.txt` and of the private `secret.txt`. */
export const DIGITS = "0123456789";

export interface RequestCase {
  /** Of RFC 9110 or RFC 9112, such as `9112 §3.2`. */
  readonly section: string;
  readonly what: string;
  /** One character is one byte. Several pieces go out one after another. */
  readonly send: string | readonly string[];
  readonly outcome: Outcome;
}

export interface Outcome {
  /** The status of each answer. */
  readonly answers: readonly number[];
  /** Whether the connection goes on, both sides in step, or is closed. */
  readonly connection: "kept" | "closed";
  /** `100 Continue` before the first of them: 0 unless told. */
  readonly interim?: number;
  /** Of the last answer. */
  readonly body?: string | RegExp;
  /** Of the last answer; null: it must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

type More = Pick<Outcome, "interim" | "body" | "headers">;

/** Answered, and the connection goes on. */
export const kept = (status: number, more: More = {}): Outcome => ({
  answers: [status],
  connection: "kept",
  ...more,
});

/** Answered, and the connection is closed. */
export const closed = (status: number, more: More = {}): Outcome => ({
  answers: [status],
  connection: "closed",
  ...more,
});

/** A request's head with a Host. */
export function head(method: string, target: string, ...lines: string[]): string {
  return [`${method} ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
}

export const get = (target: string, ...lines: string[]): string => head("GET", target, ...lines);

/** The head of a request that reads a JSON body. `{}` is answered with 400 that names the field. */
export const post = (...lines: string[]): string =>
  head("POST", "/api/folders", `API-Key: ${KEY}`, "Content-Type: application/json", ...lines);

/** The answer to `{}`, which shows that the body was read as that. */
export const bodyIsEmptyObject: More = { body: /`folder` is missing/ };

/** A request with a body in chunks, given as it goes over the wire. */
export const chunked = (wire: string, ...lines: string[]): string =>
  `${post("Transfer-Encoding: chunked", ...lines)}${wire}`;

export const HEALTH = "/api/health";
