import { randomBytes } from "node:crypto";
import type { Millis } from "../../domain/records.ts";
import { createSealer } from "../sealer.ts";
import type { Attempt } from "./provider.ts";

/**
 * A sign-in that has begun in a browser, which keeps it in a cookie until the provider sends the person back.
 * Nothing is stored on the server, so that strangers cannot fill the catalog.
 */
export interface PendingSignIn extends Purpose {
  readonly attempt: Attempt;
  readonly expiresAt: Millis;
}

/** The end of the sign-in, once the provider has signed the person in. */
export interface Purpose {
  /** A path of this server, below its base path. */
  readonly returnTo: string;
  /** The token of an invitation that the person accepts. */
  readonly invitation?: string | undefined;
  /** The session in which an account is connected with the person at the provider, instead of a sign-in. */
  readonly connectSession?: string | undefined;
}

export interface PendingSignIns {
  begin(purpose: Purpose): { readonly sealed: string; readonly attempt: Attempt };
  /** undefined: no server of this instance has made it, or it has expired. */
  open(sealed: string): PendingSignIn | undefined;
}

/** How long a person has for signing in at the provider. */
export const PENDING_MS = 10 * 60_000;

const SEALER_PURPOSE = "holdall oidc sign-in v1";
const CONTEXT = "pending";

export function createPendingSignIns(secret: () => string, now: () => Millis): PendingSignIns {
  const sealer = createSealer(secret, SEALER_PURPOSE);
  return {
    begin(purpose) {
      const attempt = { state: random(), nonce: random(), verifier: random() };
      const pending: PendingSignIn = { ...purpose, attempt, expiresAt: now() + PENDING_MS };
      return { sealed: sealer.seal(JSON.stringify(pending), CONTEXT), attempt };
    },
    open(sealed) {
      const text = sealer.open(sealed, CONTEXT);
      if (text === undefined) return undefined;
      // Only `begin` seals for this purpose.
      const pending: PendingSignIn = JSON.parse(text);
      return now() < pending.expiresAt ? pending : undefined;
    },
  };
}

/** 256 bits in 43 characters, as many as a verifier must have at least (RFC 7636). */
const random = (): string => randomBytes(32).toString("base64url");
