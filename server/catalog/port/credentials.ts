import type {
  AccountRecord,
  ApiKeyRecord,
  Key,
  Millis,
  SessionRecord,
} from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Passkeys } from "./passkeys.ts";
import type { People } from "./people.ts";

/** API keys, accounts, their passkeys, and sessions. Callers hash the secrets. */
export interface Credentials extends StoredSettings, Passkeys, People {
  /** Newest first. */
  apiKeys(): Promise<ListedApiKey[]>;
  /**
   * Includes expired keys and replaced secrets: the caller compares `expiresAt` and `secretEndsAt`.
   */
  apiKeyByHash(hash: string): MaybePromise<FoundApiKey | undefined>;
  /** Includes expired keys. */
  apiKeyById(id: string): MaybePromise<ApiKeyRecord | undefined>;
  /**
   * Adds a key, limited to its folder and to those that limit its parent. Faults: "conflict": a key
   * with this hash exists; "not_found": the folder does not exist, or is not in the parent's folders;
   * "unauthorized": the parent does not exist any more; "forbidden": the parent's descendants would
   * have too many generations. The caller has compared the other rights with the parent's. A child has the account
   * of its parent.
   */
  addApiKey(key: NewApiKeyRecord): Promise<ListedApiKey>;
  /** Fault "not_found": there is no such key, or it is out of the reach. */
  renameApiKey(input: { id: string; name: string } & KeyReach): Promise<ListedApiKey>;
  /**
   * Replaces the secret of a key. The one before is found until the next rotation. Faults:
   * "not_found" as above; "conflict": a key has this hash.
   */
  rotateApiKey(input: KeyRotation): Promise<ListedApiKey>;
  /**
   * Removes the key and all its descendants, and returns their ids, the key's first. None if there is
   * no such key, or it is out of the reach. Their open uploads and batches are removed.
   */
  removeApiKey(input: { id: string } & KeyReach): Promise<string[]>;
  /** Records when keys and sessions were last used. Ignores unknown ids. */
  recordUse(use: { apiKeys: readonly Use[]; sessions: readonly Use[] }): Promise<void>;

  accountCount(): Promise<number>;
  accountById(id: string): MaybePromise<AccountRecord | undefined>;
  accountByEmail(email: string): Promise<AccountRecord | undefined>;
  /** Fault "conflict": an account exists (an instance has one administrator). */
  addFirstAccount(account: AccountRecord): Promise<void>;
  /**
   * `ifPasswordHash` is the hash of the password that the caller has verified. Faults: "not_found";
   * "conflict" if another account has this address; "unauthorized" if the password has changed.
   */
  setEmail(input: { accountId: string; email: string; ifPasswordHash?: string }): Promise<void>;
  /**
   * Ends all sessions of the account except `exceptSession` in the same transaction. Faults:
   * "not_found"; "unauthorized" as above, so that a concurrent change of the password is not undone; "forbidden":
   * `byOwner`, the id of who does it for somebody else, is not an owner's.
   */
  setPassword(input: {
    accountId: string;
    passwordHash: string;
    ifPasswordHash?: string;
    exceptSession?: string;
    byOwner?: string;
  }): Promise<void>;

  /**
   * Sets the password, turns two-step sign-in off, removes the passkeys and ends all sessions, in one
   * transaction. Faults: "not_found"; "forbidden" as above.
   */
  resetSignIn(input: { accountId: string; passwordHash: string; byOwner?: string }): Promise<void>;

  /** undefined: two-step sign-in is off. */
  secondFactorOf(accountId: string): Promise<SecondFactorRecord | undefined>;
  /** null turns it off. Faults: "conflict": it is on already; "not_found"; "unauthorized" as above. */
  setSecondFactor(change: SecondFactorChange): Promise<void>;
  /**
   * Notes that the code of a step was used. false: a code of that step or a later one was used before,
   * or the secret is another one.
   */
  recordTotpStep(use: { accountId: string; sealedSecret: string; step: number }): Promise<boolean>;
  /** false: the recovery codes are no longer the ones in `from`. */
  replaceRecoveryCodes(change: RecoveryCodeChange): Promise<boolean>;

  /** `passwordHash` as `ifPasswordHash` above. Faults: "unauthorized": the password has changed; "forbidden": the account is disabled. */
  addSession(session: SessionRecord & { hash: string; passwordHash: string }): Promise<void>;
  /** Includes expired sessions. */
  sessionByHash(hash: string): MaybePromise<SessionRecord | undefined>;
  /** Newest first. */
  sessionsOf(accountId: string): Promise<SessionRecord[]>;
  /** Returns false if the account has no such session. */
  removeSession(accountId: string, id: string): Promise<boolean>;
  /** Returns how many sessions it ended. */
  removeOtherSessions(accountId: string, keep: string): Promise<number>;
  removeExpiredSessions(now: Millis): Promise<number>;
}

/** Two-step sign-in of an account. */
export interface SecondFactorRecord {
  readonly sealedSecret: string;
  /** The last time step whose code was used; null: none was. */
  readonly lastStep: number | null;
  /** The hashes of the unused recovery codes. */
  readonly recoveryHashes: readonly string[];
  readonly enabledAt: Millis;
}

export interface SecondFactorChange {
  readonly accountId: string;
  readonly factor: SecondFactorRecord | null;
  readonly ifPasswordHash?: string;
}

export interface RecoveryCodeChange {
  readonly accountId: string;
  /** Hashes. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Short texts by name. */
export interface StoredSettings {
  setting(name: string): Promise<string | undefined>;
  /** The values of these names. Leaves out names without a value. */
  settings(names: readonly string[]): Promise<Map<string, string>>;
  /** Sets the value if there is none. Returns the stored one: the first of several concurrent claims wins. */
  claimSetting(name: string, value: string): Promise<string>;
  /** null removes it. */
  putSetting(name: string, value: string | null): Promise<void>;
  /** In one transaction; null removes. */
  putSettings(values: Readonly<Record<string, string | null>>): Promise<void>;
}

/** An API key with the current keys of its folders, in their order. null: the folder was deleted. */
export interface ListedApiKey extends ApiKeyRecord {
  readonly folderKeys: readonly (Key | null)[];
}

/** An API key found by a secret of it. */
export interface FoundApiKey extends ApiKeyRecord {
  /** When this secret ends, apart from the key; null: it is the current one. */
  readonly secretEndsAt: Millis | null;
}

/** Which keys a change may be about. Default: all. */
export interface KeyReach {
  /** Keys that descend from this key. */
  readonly ancestorId?: string | undefined;
  /** Keys that are bound to this account. */
  readonly accountId?: string | undefined;
}

export interface KeyRotation extends KeyReach {
  readonly id: string;
  /** The hash of the new secret. */
  readonly hash: string;
  readonly prefix: string;
  /** Until when the secret before is accepted. */
  readonly oldSecretEndsAt: Millis;
}

/** An API key to be added, with the hash of its secret. */
export interface NewApiKeyRecord
  extends Omit<ApiKeyRecord, "folderIds" | "secretVersion" | "oldSecretEndsAt"> {
  readonly hash: string;
  /** null: all folders, or the folders of its parent. */
  readonly folder: { readonly id: string } | { readonly key: Key } | null;
  /** Folders that limit a key without a parent, too. Default: none. */
  readonly outerFolderIds?: readonly string[] | undefined;
}

export interface Use {
  readonly id: string;
  readonly at: Millis;
}
