import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { LinkRecord } from "../links.ts";
import type { Millis } from "../records.ts";

/** How long a visit lasts. */
export const VISIT_SECONDS = 24 * 3600;

/** The visit ends when the link gets another password. */
type SealedLink = Pick<LinkRecord, "id" | "passwordVersion">;

/** Cookies that prove that a visit was counted, for this link only. */
export interface VisitSeal {
  /** A value for a visit that begins now. */
  seal(link: SealedLink, now: Millis): string;
  /** Whether the value belongs to a running visit of this link. Compares in constant time. */
  verify(link: SealedLink, value: string, now: Millis): boolean;
}

const PURPOSE = "holdall link visit v1";
const VALUE = /^([1-9][0-9]{0,11})\.([A-Za-z0-9_-]{43})$/;

/** Seals with a key derived from `secret` for this purpose alone (RFC 5869). */
export function createVisitSeal(secret: string): VisitSeal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));

  const codeOf = ({ id, passwordVersion }: SealedLink, end: number): string =>
    createHmac("sha256", key).update(`${id} ${passwordVersion} ${end}`).digest("base64url");

  return {
    seal(link, now) {
      const end = Math.floor(now / 1000) + VISIT_SECONDS;
      return `${end}.${codeOf(link, end)}`;
    },
    verify(link, value, now) {
      const [, end, code = ""] = VALUE.exec(value) ?? [];
      if (end === undefined) return false;
      const expected = Buffer.from(codeOf(link, Number(end)));
      const given = Buffer.from(code);
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
      return isGenuine && now < Number(end) * 1000;
    },
  };
}
