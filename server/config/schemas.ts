import { resolve } from "node:path";
import { z } from "zod";
import type { ListenAddress } from "../domain/listen-address.ts";
import { isProxyEntry } from "../limits/trusted-proxies.ts";
import { parseAllowed } from "../outgoing/allow-list.ts";
import { parseDuration, parseSize } from "./parse-units.ts";

/*
 * The kinds of values that variables have. Each schema takes the trimmed text; its message completes
 * the sentence "NAME is "…", but must be …".
 */

export type TextSchema<T> = z.ZodType<T, string>;

/** A schema of whatever `parse` returns; undefined: the text is not allowed. */
export function parsed<T>(parse: (text: string) => T | undefined, allowed: string): TextSchema<T> {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: allowed });
    return z.NEVER;
  });
}

export const text: TextSchema<string> = z.string();

export function textOfLength(min: number, max: number): TextSchema<string> {
  const allowed = `from ${min} to ${max} characters long`;
  return z.string().min(min, allowed).max(max, allowed);
}

export const matching = (pattern: RegExp, allowed: string): TextSchema<string> =>
  z.string().regex(pattern, allowed);

export const path: TextSchema<string> = z.string().transform((given) => resolve(given));

/** Only decimal digits: neither signs, fractions nor exponents. */
export const wholeNumber = (from: number, to: number): TextSchema<number> =>
  parsed((given) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return number >= from && number <= to ? number : undefined;
  }, `a whole number from ${from} to ${to}`);

/** In any case. */
export const oneOf = <const T extends string>(choices: readonly T[]): TextSchema<T> =>
  parsed((given) => choices.find((each) => each === given.toLowerCase()), listText(choices));

/** In any case. */
export const trueOrFalse: TextSchema<boolean> = oneOf(["true", "false"]).transform(
  (given) => given === "true",
);

/** `a`, `a or b`, `a, b or c`. */
export function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  const others = items.slice(0, -1);
  return others.length === 0 ? last : `${others.join(", ")} or ${last}`;
}

/** In bytes. */
export const size = (min: number): TextSchema<number> =>
  parsed((given) => {
    const bytes = parseSize(given);
    return bytes !== undefined && bytes >= min ? bytes : undefined;
  }, `a size of at least ${min}, such as 500mb, 5gb or a number of bytes`);

/** In milliseconds; 0: never. */
export const durationOrNever: TextSchema<number> = parsed((given) => {
  if (given === "0") return 0;
  const milliseconds = parseDuration(given) ?? 0;
  return milliseconds > 0 ? milliseconds : undefined;
}, "a duration such as 30d, 12h or 90m, or 0 for never");

/** In milliseconds. */
export const duration = (minMs: number, allowed: string): TextSchema<number> =>
  parsed((given) => {
    const milliseconds = parseDuration(given) ?? 0;
    return milliseconds >= minMs ? milliseconds : undefined;
  }, allowed);

/** Without a trailing slash, credentials, query or fragment. */
export const httpUrl = (example: string): TextSchema<string> =>
  parsed((given) => {
    const url = URL.parse(given);
    const isPlain = url?.username === "" && url.password === "" && !/[?#]/.test(given);
    if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) return undefined;
    return url.href.replace(/\/+$/, "");
  }, `an http or https URL such as ${example}`);

/** An IPv6 address may stand in brackets, as in a URL. */
export const listenAddress: TextSchema<string> = parsed(
  (given) => /^\[(.*:.*)\]$/.exec(given)?.[1] ?? given,
  "an address or a host name",
);

export const addressAndPort: TextSchema<ListenAddress> = parsed((given) => {
  const [, ipv6, host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(given) ?? [];
  const name = ipv6 ?? host;
  if (name === undefined || Number(port) > 65_535) return undefined;
  return { host: name, port: Number(port) };
}, "an address and a port, such as 127.0.0.1:9464 or [::1]:9464");

const ENCODING = "with %40 for @, %2F for /, %23 for # and %25 for % in the password";

export const hostName: TextSchema<string> = parsed((given) => {
  const name = given.toLowerCase();
  return name.length <= 253 && HOST_NAME.test(name) ? name : undefined;
}, "a host name, such as s3.example.com, without a scheme and a port");

const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

export const postgresUrl: TextSchema<string> = parsed((given) => {
  // A connection over a socket may leave out the host, which only the driver accepts.
  const address = URL.canParse(given) ? given : given.replace("@/", "@localhost/");
  const url = URL.parse(address);
  // Neither means anything there: it is a part of the password, which would be taken for the host.
  const isCut = url?.hash !== "" || url.pathname.includes("@");
  const isPostgres = /^postgres(ql)?:$/.test(url?.protocol ?? "");
  return isPostgres && !isCut && isEncoded(address) ? address : undefined;
}, `the URL of a PostgreSQL database such as postgres://user:password@host:5432/name, ${ENCODING}`);

export const redisUrl: TextSchema<string> = parsed((given) => {
  const url = URL.parse(given);
  if (url === null || url.hostname === "" || !isEncoded(given)) return undefined;
  const hasDatabase = /^\/?\d{0,5}$/.test(url.pathname) && url.search === "" && url.hash === "";
  return /^rediss?:$/.test(url.protocol) && hasDatabase ? url.href : undefined;
}, `the URL of a Redis server such as redis://:password@host:6379 or rediss://user:password@host:6380/1, ${ENCODING}`);

/** Only the scheme of a URL, which may contain a password. */
export const shownAsScheme = (given: string): string => `"${URL.parse(given)?.protocol ?? ""}…"`;

export const proxies: TextSchema<readonly string[]> = parsed((given) => {
  const entries = given.split(",").map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== "");
  return named.every(isProxyEntry) ? named : undefined;
}, "addresses or ranges separated by commas, such as 127.0.0.1, 10.0.0.0/8");

export const outgoingTargets: TextSchema<readonly string[]> = parsed((given) => {
  const entries = given.split(",").map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== "");
  return named.every((entry) => parseAllowed(entry) !== undefined) ? named : undefined;
}, "hosts, addresses or ranges separated by commas, such as app:3000, 10.0.0.0/8");

function isEncoded(given: string): boolean {
  try {
    decodeURIComponent(given);
    return true;
  } catch {
    return false;
  }
}
