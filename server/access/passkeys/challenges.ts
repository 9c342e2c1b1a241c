import type { UsedChallenge } from "../../catalog/port/passkeys.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Millis } from "../../domain/records.ts";
import { createSealer } from "../sealer.ts";
import { hashSecret } from "../secrets.ts";

/**
 * Challenges for authenticators to sign. Nothing is stored when one is made, so that strangers cannot
 * fill the catalog: it has its expiry in it, sealed with a key that all servers have. Storing its hash
 * when it is used makes it work once.
 */
export interface Challenges {
  /** In base64url. It is opened only with the same context. */
  make(context: string): string;
  /** Fault "invalid": no server of this instance made it for the context, or it has expired. */
  open(challenge: string, context: string): UsedChallenge;
}

const PURPOSE = "holdall passkey challenge v1";
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

export function createChallenges(secret: () => string, now: () => Millis): Challenges {
  const sealer = createSealer(secret, PURPOSE);
  return {
    make: (context) => sealer.seal(String(now() + CHALLENGE_LIFETIME_MS), context),
    open(challenge, context) {
      const expiresAt = Number(sealer.open(challenge, context) ?? 0);
      if (now() < expiresAt) return { hash: hashSecret(challenge), expiresAt };
      throw new Fault("invalid", "This took too long, or began on another page. Try again.");
    },
  };
}

/**
 * The challenge in the `clientDataJSON` of a browser's response. Fault "invalid": there is none. The
 * signature covers it, and is checked later.
 */
export function challengeIn(clientDataJSON: string): string {
  let data: unknown;
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
  } catch {
    data = undefined;
  }
  if (typeof data === "object" && data !== null && "challenge" in data) {
    if (typeof data.challenge === "string") return data.challenge;
  }
  throw new Fault("invalid", "`response.clientDataJSON` has no challenge.");
}
