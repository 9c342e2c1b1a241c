import type { Credentials } from "../catalog/port.ts";
import type { Millis } from "../rules/records.ts";

/** Notes when keys and sessions were last used, without a write for each request. */
export interface UseLog {
  key(id: string): void;
  session(id: string): void;
  /** Writes what is noted and ends the regular writing. */
  close(): Promise<void>;
}

const EVERY = 60_000;

export interface UseLogParts {
  readonly credentials: Credentials;
  readonly onError: (message: string, cause: unknown) => void;
  readonly now?: () => Millis;
}

export function createUseLog({ credentials, onError, now = Date.now }: UseLogParts): UseLog {
  let keys = new Map<string, Millis>();
  let sessions = new Map<string, Millis>();

  async function flush(): Promise<void> {
    if (keys.size === 0 && sessions.size === 0) return;
    const use = { apiKeys: uses(keys), sessions: uses(sessions) };
    keys = new Map();
    sessions = new Map();
    try {
      await credentials.noteUse(use);
    } catch (cause) {
      onError("When keys were last used was not noted", cause);
    }
  }

  const timer = setInterval(flush, EVERY);
  timer.unref();

  return {
    key: (id) => void keys.set(id, now()),
    session: (id) => void sessions.set(id, now()),
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

const uses = (noted: ReadonlyMap<string, Millis>) => [...noted].map(([id, at]) => ({ id, at }));
