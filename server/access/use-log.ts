import type { Credentials, Use } from "../catalog/port.ts";
import type { Millis } from "../rules/records.ts";

/** Notes when keys and sessions were last used, without a write for each request. */
export interface UseLog {
  key(id: string): void;
  session(id: string): void;
  /** The latest use of the key or session that is not in the catalog yet, or is just being written. */
  unwritten(id: string): Millis | undefined;
  /** Writes what is noted. Never throws. */
  settle(): Promise<void>;
  /** Writes what is noted and ends the regular writing. */
  close(): Promise<void>;
}

/** Writes are at least this far apart, */
const EVERY = 60_000;
/** and the first comes this soon after the use. */
const SOON = 1000;

export interface UseLogParts {
  readonly credentials: Credentials;
  readonly onError: (message: string, cause: unknown) => void;
  readonly now?: () => Millis;
}

export function createUseLog({ credentials, onError, now = Date.now }: UseLogParts): UseLog {
  let keys = new Map<string, Millis>();
  let sessions = new Map<string, Millis>();
  let writing: readonly ReadonlyMap<string, Millis>[] = [];

  let timer: Timer | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let last: Promise<void> = Promise.resolve();

  function schedule(): void {
    if (timer !== undefined) return;
    timer = setTimeout(settle, Math.max(SOON, lastFlush + EVERY - performance.now()));
    timer.unref();
  }

  /** One after another, so that whoever asks knows of what is just being written, too. */
  function settle(): Promise<void> {
    last = last.then(flush);
    return last;
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = performance.now();
    if (keys.size === 0 && sessions.size === 0) return;
    const use = { apiKeys: uses(keys), sessions: uses(sessions) };
    writing = [keys, sessions];
    keys = new Map();
    sessions = new Map();
    try {
      await credentials.noteUse(use);
    } catch (cause) {
      onError("When keys and sessions were last used could not be noted yet", cause);
      putBack(use.apiKeys, keys);
      putBack(use.sessions, sessions);
    }
    writing = [];
  }

  return {
    key(id) {
      keys.set(id, now());
      schedule();
    },
    session(id) {
      sessions.set(id, now());
      schedule();
    },
    unwritten: (id) => [keys, sessions, ...writing].find((noted) => noted.has(id))?.get(id),
    settle,
    close: settle,
  };
}

const uses = (noted: ReadonlyMap<string, Millis>): Use[] =>
  [...noted].map(([id, at]) => ({ id, at }));

/** What was noted meanwhile is newer. */
function putBack(unwritten: readonly Use[], noted: Map<string, Millis>): void {
  for (const { id, at } of unwritten) if (!noted.has(id)) noted.set(id, at);
}
