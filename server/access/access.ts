import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { Credentials } from "../catalog/port/credentials.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { type ApiKeys, createApiKeys } from "./api-keys.ts";
import { type Authenticate, createAuthenticate } from "./authenticate.ts";
import { createFindScopes, type FindScopes } from "./find-scopes.ts";
import { createLastUsedBuffer } from "./last-used-buffer.ts";
import { createPasskeys, type Passkeys } from "./passkeys/passkeys.ts";
import { createPasswordThrottle, type PasswordThrottle } from "./password-throttle.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createMembers, type Members } from "./people/members.ts";
import { createS3Access, type S3Access, type S3Credentials } from "./s3/s3-access.ts";
import { createSecondFactor, type SecondFactor } from "./second-factor.ts";
import { createSessions, type Sessions } from "./sessions.ts";

/** Authentication: API keys, accounts and sessions. */
export interface Access {
  readonly keys: ApiKeys;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly authenticate: Authenticate;
  readonly findScopes: FindScopes;
  readonly members: Members;
  readonly s3: S3Access;
  /** For all passwords of the process, so that those that are checked at once are counted together. */
  readonly passwords: Passwords;
  /** Writes the buffered last-used times. Never throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AccessDeps {
  readonly credentials: Credentials & Pick<CatalogClock, "now">;
  readonly onError: (message: string, cause: unknown) => void;
  /** AUTH_SECRET, from which secret access keys and the key of the sealer are derived. */
  readonly secret: () => string;
  /** See `S3AccessDeps.initial`. */
  readonly initialS3?: S3Credentials | null;
  readonly acceptsSignatureV2?: boolean;
  /** Default: in this process's memory. */
  readonly throttle?: PasswordThrottle;
  /** Groups client addresses for the throttle. Default: each address by itself. */
  readonly clientKey?: (address: string) => string;
  /** The setting. Default: false. */
  readonly requireSecondFactor?: () => boolean;
  /** Makes the other workers write their last-used times; awaited before those are read. */
  readonly flushPeers?: () => Promise<void>;
}

export function createAccess(deps: AccessDeps): Access {
  const {
    credentials,
    onError,
    secret,
    throttle = createPasswordThrottle(),
    clientKey = (address) => address,
    flushPeers,
    initialS3 = null,
    acceptsSignatureV2 = true,
    requireSecondFactor = () => false,
  } = deps;
  const lastUsed = createLastUsedBuffer({ credentials, onError, flushPeers });
  const keys = createApiKeys(credentials, credentials.now, lastUsed);
  const sessions = createSessions(credentials, credentials.now, lastUsed);
  const secondFactor = createSecondFactor({ credentials, throttle, secret, now: credentials.now });
  const passwords = createPasswords();
  const accounts = createAccounts({
    credentials,
    passwords,
    throttle,
    secondFactor,
    clientKey,
    now: credentials.now,
  });
  return {
    keys,
    accounts,
    sessions,
    secondFactor,
    passkeys: createPasskeys({ credentials, throttle, clientKey, secret, now: credentials.now }),
    authenticate: createAuthenticate({
      keys,
      sessions,
      lastUsed,
      grantsOf: credentials.grantsOf,
      requireSecondFactor,
    }),
    findScopes: createFindScopes(credentials),
    members: createMembers({ people: credentials, accounts, passwords, now: credentials.now }),
    s3: createS3Access({
      credentials,
      lastUsed,
      secret,
      initial: initialS3,
      acceptsV2: acceptsSignatureV2,
      now: credentials.now,
    }),
    passwords,
    flush: lastUsed.flush,
    close: lastUsed.close,
  };
}
