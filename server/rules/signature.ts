import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Fault } from "./fault.ts";
import type { FileRecord, Millis } from "./records.ts";
import { createTwoGenerationCache } from "./two-generation-cache.ts";

/**
 * What a signature is bound to. The id keeps a link from coming back to life when another file
 * takes the key; the key ends it with a rename.
 */
export type SignedSubject = Pick<FileRecord, "id" | "key">;

export interface Signer {
  /** 43 characters of base64url. `exp` is in whole seconds since the Unix epoch. */
  sign(subject: SignedSubject, exp: number): string;
  /**
   * Whether `sig` is exactly what `sign` gives: no other spelling of the same bytes. Takes the
   * same time wherever they differ, and never throws. Says nothing of whether `exp` has passed.
   */
  verify(subject: SignedSubject, exp: number, sig: string): boolean;
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

  /** Links are used more than once. */
  const signatureCache = createTwoGenerationCache<string, Buffer>(MAX_CACHED_BYTES);

  function sign(subject: SignedSubject, exp: number): string {
    return createHmac("sha256", key).update(message(subject, exp)).digest("base64url");
  }

  function expect(subject: SignedSubject, exp: number): Buffer {
    // With its length, so that no end of the id can be taken for a beginning of the key.
    const what = `${exp} ${subject.id.length} ${subject.id}${subject.key}`;
    const known = signatureCache.get(what);
    if (known !== undefined) return known;
    const expected = Buffer.from(sign(subject, exp));
    signatureCache.set(what, expected, what.length + expected.length + OVERHEAD);
    return expected;
  }

  function verify(subject: SignedSubject, exp: number, sig: string): boolean {
    const expected = expect(subject, exp);
    const given = Buffer.from(sig);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return { sign, verify };
}

/** Each field after its length, so that no two subjects make the same message. */
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

const EXP = /^[0-9]{1,12}$/;
/** 32 bytes: the last character holds four bits, and its other two are 0. */
const SIG = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The signature in a query, or undefined: `exp` or `sig` is absent, given twice or malformed. */
export function parseSignedQuery(search: URLSearchParams): SignedQuery | undefined {
  const [exp, anotherExp] = search.getAll("exp");
  const [sig, anotherSig] = search.getAll("sig");
  if (exp === undefined || anotherExp !== undefined || !EXP.test(exp)) return undefined;
  // The number is signed, and must come as it was signed: without zeros before it.
  if (String(Number(exp)) !== exp) return undefined;
  if (sig === undefined || anotherSig !== undefined || !SIG.test(sig)) return undefined;
  return { exp: Number(exp), sig };
}

const CANONICAL = new RegExp(`^exp=(${EXP.source.slice(1, -1)})&sig=(${SIG.source.slice(1, -1)})$`);

/**
 * The signature in a query that has nothing else and is written as ours are; undefined: it is
 * another one, which `parseSignedQuery` may still make sense of.
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
 * For how many whole seconds a signed URL is to be good: `expiresIn`, or the default when it is
 * undefined; at least 1, at most `max`. Fault "invalid": no finite number above 0.
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
