import type { Credentials } from "../catalog/port.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { type ApiKeys, createApiKeys } from "./api-keys.ts";
import { type Authenticate, createAuthenticate } from "./caller.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createThrottle, type Throttle } from "./throttle.ts";
import { createUseLog } from "./use-log.ts";

/** Who may come in, and how they show it. */
export interface Access {
  readonly keys: ApiKeys;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly authenticate: Authenticate;
  /** Resolves when all uses up to now are in the catalog, or could not be written. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface AccessParts {
  readonly credentials: Credentials;
  readonly onError: (message: string, cause: unknown) => void;
  /** In this process's memory when it is left out. */
  readonly throttle?: Throttle;
  /** What clients are counted under when they guess; their plain address when it is left out. */
  readonly clientKey?: (address: string) => string;
}

export function createAccess(parts: AccessParts): Access {
  const { credentials, onError, throttle, clientKey = (address) => address } = parts;
  const useLog = createUseLog({ credentials, onError });
  const keys = createApiKeys(credentials, Date.now, useLog.unwritten);
  const sessions = createSessions(credentials, Date.now, useLog.unwritten);
  const accounts = createAccounts({
    credentials,
    passwords: createPasswords(),
    throttle: throttle ?? createThrottle(),
    clientKey,
  });
  return {
    keys,
    accounts,
    sessions,
    authenticate: createAuthenticate({ keys, sessions, useLog }),
    settle: useLog.settle,
    close: useLog.close,
  };
}
