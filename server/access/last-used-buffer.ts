import type { Credentials } from "../catalog/port/credentials.ts";
import type { Millis } from "../domain/records.ts";
import {
  type AddTo,
  type Buffered,
  type Counted,
  type CounterBufferDeps,
  createCounterBuffer,
  createTally,
} from "../lib/counter-buffer.ts";

/** Buffers when API keys and sessions were last used, so that requests cause no write each. */
export interface LastUsedBuffer extends LastUsedReader, Buffered {
  recordKey(id: string): void;
  recordSession(id: string): void;
}

export interface LastUsedReader {
  /** Await this before reading last-used times: the other workers write their buffers. */
  flushPeers(): Promise<void>;
  /** The last use of a key or session by this process, unless the catalog has it already. */
  unwritten(id: string): Millis | undefined;
}

export interface LastUsedBufferDeps extends CounterBufferDeps {
  readonly credentials: Pick<Credentials, "recordUse">;
}

interface Use {
  readonly kind: "key" | "session";
  readonly at: Millis;
}

const keepLatest: AddTo<Use> = (sum, { at }) => {
  sum.at = Math.max(sum.at, at);
};

export function createLastUsedBuffer(deps: LastUsedBufferDeps): LastUsedBuffer {
  const { credentials, flushPeers = async () => {}, now = Date.now } = deps;
  const { add, unwritten, flush, close } = createCounterBuffer<Use>(
    {
      name: "last-used times of keys and sessions",
      newTally: () => createTally(keepLatest),
      write: (uses) =>
        credentials.recordUse({ apiKeys: usesOf("key", uses), sessions: usesOf("session", uses) }),
    },
    deps,
  );

  return {
    recordKey: (id) => add(id, { kind: "key", at: now() }),
    recordSession: (id) => add(id, { kind: "session", at: now() }),
    flushPeers,
    unwritten: (id) => unwritten(id)[0]?.at,
    flush,
    close,
  };
}

const usesOf = (kind: Use["kind"], uses: readonly Counted<Use>[]) =>
  uses.filter((use) => use.kind === kind).map(({ subject, at }) => ({ id: subject, at }));
