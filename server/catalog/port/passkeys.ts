import type { Millis } from "../../rules/records.ts";

/** The passkeys of accounts (WebAuthn). Callers verify the signatures. */
export interface Passkeys {
  /** Newest first. */
  passkeysOf(accountId: string): Promise<PasskeyRecord[]>;
  passkeyByCredentialId(credentialId: string): Promise<PasskeyRecord | undefined>;
  /**
   * Faults: "conflict": it was added before, or the account has too many; "invalid": the challenge was
   * used before; "not_found"; "unauthorized": the password is not that of `ifPasswordHash` any more.
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

export interface PasskeyRecord {
  readonly id: string;
  readonly accountId: string;
  /** Chosen by the authenticator, in base64url. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** How many signatures the authenticator has counted; 0: it does not count. */
  readonly counter: number;
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[];
  /** Whether it may exist on several devices; fixed. */
  readonly canSync: boolean;
  /** Whether it was backed up or synced when it was last used. */
  readonly isSynced: boolean;
  /** The relying party's id: the host name of the pages where it works. */
  readonly host: string;
  readonly name: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
}

export interface NewPasskey {
  readonly passkey: PasskeyRecord;
  readonly challenge: UsedChallenge;
  /** As of `setEmail`. */
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
