import type { Credentials } from "../catalog/port.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { type ApiKeys, createApiKeys } from "./api-keys.ts";
import { type Authenticate, createAuthenticate } from "./caller.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createThrottle } from "./throttle.ts";
import { createUseLog } from "./use-log.ts";

/** Who may come in, and how they show it. */
export interface Access {
  readonly keys: ApiKeys;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly authenticate: Authenticate;
  close(): Promise<void>;
}

export interface AccessParts {
  readonly credentials: Credentials;
  readonly onError: (message: string, cause: unknown) => void;
  /** What clients are counted under when they guess; their plain address when it is left out. */
  readonly clientKey?: (address: string) => string;
}

export function createAccess(parts: AccessParts): Access {
  const { credentials, onError, clientKey = (address) => address } = parts;
  const useLog = createUseLog({ credentials, onError });
  const keys = createApiKeys(credentials, Date.now, useLog.unwritten);
  const sessions = createSessions(credentials, Date.now, useLog.unwritten);
  const accounts = createAccounts({
    credentials,
    passwords: createPasswords(),
    throttle: createThrottle(),
    clientKey,
  });
  return {
    keys,
    accounts,
    sessions,
    authenticate: createAuthenticate({ keys, sessions, useLog }),
    close: () => useLog.close(),
  };
}
