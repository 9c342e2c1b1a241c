import type { Credentials, Use } from "../catalog/port/credentials.ts";
import type { Millis } from "../domain/records.ts";
import { createDelayedWrites } from "../lib/delayed-writes.ts";

/** Buffers when API keys and sessions were last used, so that requests cause no write each. */
export interface LastUsedBuffer extends LastUsedReader {
  recordKey(id: string): void;
  recordSession(id: string): void;
  /** Writes the buffer, or keeps it when writing fails. Never throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LastUsedReader {
  /** Await this before reading last-used times: the other workers write their buffers. */
  flushPeers(): Promise<void>;
  /** The last use of a key or session by this process, unless the catalog has it already. */
  unwritten(id: string): Millis | undefined;
}

export interface LastUsedBufferDeps {
  readonly credentials: Credentials;
  readonly onError: (message: string, cause: unknown) => void;
  readonly flushPeers?: (() => Promise<void>) | undefined;
  readonly now?: () => Millis;
}

export function createLastUsedBuffer({
  credentials,
  onError,
  flushPeers = async () => {},
  now = Date.now,
}: LastUsedBufferDeps): LastUsedBuffer {
  let keys = new Map<string, Millis>();
  let sessions = new Map<string, Millis>();
  /** What the current write holds. */
  let writing: readonly ReadonlyMap<string, Millis>[] = [];

  async function write(): Promise<void> {
    if (keys.size === 0 && sessions.size === 0) return;
    const use = { apiKeys: toUses(keys), sessions: toUses(sessions) };
    writing = [keys, sessions];
    keys = new Map();
    sessions = new Map();
    try {
      await credentials.recordUse(use);
    } catch (cause) {
      onError("The last-used times of keys and sessions could not be written yet", cause);
      putBack(use.apiKeys, keys);
      putBack(use.sessions, sessions);
    }
    writing = [];
  }

  const { schedule, flush } = createDelayedWrites(write);
  return {
    recordKey(id) {
      keys.set(id, now());
      schedule();
    },
    recordSession(id) {
      sessions.set(id, now());
      schedule();
    },
    flushPeers,
    unwritten: (id) => [keys, sessions, ...writing].find((uses) => uses.has(id))?.get(id),
    flush,
    close: flush,
  };
}

const toUses = (times: ReadonlyMap<string, Millis>): Use[] =>
  [...times].map(([id, at]) => ({ id, at }));

/** Uses recorded during the write are newer and stay. */
function putBack(unwritten: readonly Use[], times: Map<string, Millis>): void {
  for (const { id, at } of unwritten) if (!times.has(id)) times.set(id, at);
}
