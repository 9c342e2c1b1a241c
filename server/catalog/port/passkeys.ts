import type { Millis, PasskeyRecord } from "../../domain/records.ts";

/** The passkeys of accounts (WebAuthn). Callers verify the signatures. */
export interface Passkeys {
  /** Newest first. */
  passkeysOf(accountId: string): Promise<PasskeyRecord[]>;
  /** Whether any account has one for this host. */
  hasPasskeys(host: string): Promise<boolean>;
  passkeyByCredentialId(credentialId: string): Promise<PasskeyRecord | undefined>;
  /**
   * Faults: "conflict": it was added before, or the account has too many; "invalid": the challenge was
   * used before; "not_found"; "unauthorized": the password no longer has the hash `ifPasswordHash`.
   */
  addPasskey(input: NewPasskey): Promise<void>;
  /** Fault "not_found": the account has no such passkey. */
  renamePasskey(input: { accountId: string; id: string; name: string }): Promise<PasskeyRecord>;
  /** The removed one; undefined: the account has no such passkey. */
  removePasskey(accountId: string, id: string): Promise<PasskeyRecord | undefined>;
  /**
   * Notes that a passkey has signed a challenge. Faults: "unauthorized": the challenge was used before,
   * the counter did not grow, or the passkey was removed.
   */
  recordPasskeyUse(use: PasskeyUse): Promise<void>;
}

export interface NewPasskey {
  readonly passkey: PasskeyRecord;
  readonly challenge: UsedChallenge;
  /** Same as `setEmail`. */
  readonly ifPasswordHash: string;
}

export interface UsedChallenge {
  readonly hash: string;
  readonly expiresAt: Millis;
}

export interface PasskeyUse {
  readonly id: string;
  readonly challenge: UsedChallenge;
  /** As the authenticator counts; 0: it does not count. */
  readonly counter: number;
  readonly isSynced: boolean;
  readonly at: Millis;
}
