import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import { Fault } from "../faults/fault.ts";
import type { FileRecord, Millis } from "../records.ts";
import { createFolderTokens, type FolderTokens } from "./folder-token.ts";

/**
 * What a signature is bound to. The id prevents a link from serving another file that takes the key
 * later; the key invalidates the link when the file is renamed.
 */
export type SignedSubject = Pick<FileRecord, "id" | "key">;

export interface Signer {
  /** Returns 43 characters of base64url. `exp` is in whole seconds since the Unix epoch. */
  sign(subject: SignedSubject, exp: number): string;
  /**
   * Whether `sig` is exactly what `sign` returns; no other encoding of the same bytes is accepted.
   * Compares in constant time and never throws. Does not check whether `exp` has passed.
   */
  verify(subject: SignedSubject, exp: number, sig: string): boolean;
  /** A token that gives access to what is in a folder: see `folder-token.ts`. */
  readonly folders: FolderTokens;
}

/** The query of a signed URL. */
export interface SignedQuery {
  /** Whole seconds since the Unix epoch. */
  readonly exp: number;
  readonly sig: string;
}

const PURPOSE = "holdall signed url v1";
const VERSION = 1;

/** In bytes: enough for about ten thousand signatures. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const OVERHEAD = 200;

/** Signs with a key derived from `secret` for this purpose alone (RFC 5869). */
export function createSigner(secret: string): Signer {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));

  /** Most links are used more than once. */
  const signatureCache = createTwoGenerationCache<string, Buffer>(MAX_CACHED_BYTES);

  function sign(subject: SignedSubject, exp: number): string {
    return createHmac("sha256", key).update(message(subject, exp)).digest("base64url");
  }

  function expect(subject: SignedSubject, exp: number): Buffer {
    // Includes the length of the id, so that different pairs of id and key never share a cache key.
    const cacheKey = `${exp} ${subject.id.length} ${subject.id}${subject.key}`;
    const cached = signatureCache.get(cacheKey);
    if (cached !== undefined) return cached;
    const expected = Buffer.from(sign(subject, exp));
    signatureCache.set(cacheKey, expected, cacheKey.length + expected.length + OVERHEAD);
    return expected;
  }

  function verify(subject: SignedSubject, exp: number, sig: string): boolean {
    const expected = expect(subject, exp);
    const given = Buffer.from(sig);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return { sign, verify, folders: createFolderTokens(secret) };
}

/** Puts the length before each field, so that no two subjects have the same message. */
function message({ id, key }: SignedSubject, exp: number): Buffer {
  const parts = [Buffer.of(VERSION)];
  for (const field of [id, key, String(exp)]) {
    const bytes = Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}

/** The signature covers the number's text, so leading zeros are invalid. */
const EXP = /^(?:0|[1-9][0-9]{0,11})$/;
/** 32 bytes: the last character encodes four bits, and its other two are 0. */
const SIG = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The signature in a query; undefined: `exp` or `sig` is absent, repeated or malformed. */
export function parseSignedQuery(search: URLSearchParams): SignedQuery | undefined {
  const [exp, anotherExp] = search.getAll("exp");
  const [sig, anotherSig] = search.getAll("sig");
  if (exp === undefined || anotherExp !== undefined || !EXP.test(exp)) return undefined;
  if (sig === undefined || anotherSig !== undefined || !SIG.test(sig)) return undefined;
  return { exp: Number(exp), sig };
}

const CANONICAL = new RegExp(`^exp=(${EXP.source.slice(1, -1)})&sig=(${SIG.source.slice(1, -1)})$`);

/**
 * Fast path: the signature in a query exactly as this server generates it; undefined: another query,
 * which `parseSignedQuery` may still accept.
 */
export function readSignedQuery(query: string): SignedQuery | undefined {
  const [, exp, sig] = CANONICAL.exec(query) ?? [];
  return exp === undefined || sig === undefined ? undefined : { exp: Number(exp), sig };
}

/** Whether a link that expires at `exp` (whole seconds) is still valid at `now`. */
export function isLive(exp: number, now: Millis): boolean {
  return now < exp * 1000;
}

/**
 * The lifetime of a signed URL in whole seconds: `expiresIn`, or the default if it is undefined; at least
 * 1, at most `max`. Fault "invalid": not a finite number above 0.
 */
export function signedLifetime(
  expiresIn: number | undefined,
  limits: { readonly default: number; readonly max: number },
): number {
  const seconds = expiresIn ?? limits.default;
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new Fault("invalid", "`expiresIn` must be a finite number of seconds above 0.");
  }
  return Math.min(Math.max(1, Math.floor(seconds)), limits.max);
}
