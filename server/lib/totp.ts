import { createHmac } from "node:crypto";

/** Seconds for which a code is shown: what every authenticator app assumes. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the current one that are accepted, for clocks that are fast or slow. */
const SKEW = 1;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes as base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  let text = "";
  for (let start = 0; start < bits.length; start += 5) {
    text += BASE32[Number.parseInt(bits.slice(start, start + 5).padEnd(5, "0"), 2)] ?? "";
  }
  return text;
}

/** The bytes of base32 without padding; undefined: it is not base32. */
export function parseBase32(text: string): Uint8Array | undefined {
  let bits = "";
  for (const digit of text) {
    const value = BASE32.indexOf(digit);
    if (value < 0) return undefined;
    bits += value.toString(2).padStart(5, "0");
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

/** The time step of a moment in milliseconds (RFC 6238, section 4.2). */
export const totpStep = (at: number): number => Math.floor(at / 1000 / STEP_SECONDS);

/** The code of a time step: HOTP with SHA-1 (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export interface TotpAttempt {
  readonly secret: Uint8Array;
  readonly code: string;
  /** In milliseconds. */
  readonly at: number;
  /** The last step whose code was used; null: none was. */
  readonly lastStep: number | null;
}

/** The step of a code that is valid and newer than the last one used; undefined: there is none. */
export function findTotpStep({ secret, code, at, lastStep }: TotpAttempt): number | undefined {
  const now = totpStep(at);
  for (let step = now - SKEW; step <= now + SKEW; step += 1) {
    if ((lastStep === null || step > lastStep) && totpCode(secret, step) === code) return step;
  }
  return undefined;
}

/** What authenticator apps read from a QR code (Google's key URI format). */
export function totpUri(secret: string, email: string): string {
  const parameters = new URLSearchParams({ secret, issuer: "Holdall" });
  return `otpauth://totp/Holdall:${encodeURIComponent(email)}?${parameters}`;
}
