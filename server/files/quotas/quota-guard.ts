import type { QuotaLedger } from "../../catalog/port/quotas.ts";
import { type SeenBy, SYSTEM } from "../../domain/callers/caller.ts";
import { type KeepSettings, keepReplacedMs } from "../../domain/keep-time.ts";
import { childKey, joinKey, keyNames } from "../../domain/names/name.ts";
import { type QuotaRecord, requireRoom } from "../../domain/quotas.ts";
import type { FileRecord, Key, Name } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** Files that are about to be stored in a folder. */
export interface IncomingFiles {
  readonly folder: Key;
  /** Their total size. */
  readonly bytes: number;
  /** Default: 1. */
  readonly files?: number | undefined;
  /** The name of a file that is replaced, if there is one: it may leave no version. */
  readonly replaces?: Name | undefined;
}

/** Refuses files early that would exceed a quota, before their bytes are sent. The catalog has the last word. */
export interface QuotaGuard {
  /** Fault "quota_exceeded". */
  admit(incoming: IncomingFiles): Promise<void>;
  /** Whether the folder with this key, or one that contains it, has a quota; undefined: none. */
  quotaOf(folder: Key): Promise<QuotaRecord | undefined>;
  /** To be called when a quota was set. Other processes find it within seconds. */
  forget(): void;
}

interface QuotaFacts extends Pick<QuotaLedger, "listQuotas"> {
  fileByKey(caller: SeenBy, key: Key): MaybePromise<Pick<FileRecord, "size"> | undefined>;
}

/** For this long, the folders with a quota are remembered, so that an upload into another one reads nothing. */
const REMEMBERED_MS = 1000;
/** After that, they are read again in the background for a while, so that uploads hardly ever wait. */
const EXPIRED_MS = 5000;

export function createQuotaGuard(
  catalog: QuotaFacts,
  settings: () => KeepSettings,
  now: () => number = () => performance.now(),
): QuotaGuard {
  let known: ReadonlySet<Key> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const startedAt = now();
    const quotas = await catalog.listQuotas(SYSTEM);
    known = new Set(quotas.map(({ key }) => key));
    readAt = startedAt;
  }

  async function isKnown(top: Key): Promise<boolean> {
    const age = now() - readAt;
    if (age >= REMEMBERED_MS) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      if (age >= EXPIRED_MS) await reading;
      else reading.catch(() => {});
    }
    return known.has(top);
  }

  async function quotaOf(folder: Key): Promise<QuotaRecord | undefined> {
    const [name] = keyNames(folder);
    if (name === undefined) return undefined;
    const top = joinKey([name]);
    if (!(await isKnown(top))) return undefined;
    return (await catalog.listQuotas(SYSTEM)).find(({ key }) => key === top);
  }

  /** What the replaced file takes now, if it leaves no version. */
  async function freed({
    folder,
    replaces,
  }: IncomingFiles): Promise<{ bytes: number; files: number }> {
    const none = { bytes: 0, files: 0 };
    if (replaces === undefined || keepReplacedMs(settings()) !== undefined) return none;
    const file = await catalog.fileByKey(SYSTEM, childKey(folder, replaces));
    return file === undefined ? none : { bytes: file.size, files: 1 };
  }

  return {
    quotaOf,
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
    async admit(incoming) {
      const quota = await quotaOf(incoming.folder);
      if (quota === undefined) return;
      const replaced = await freed(incoming);
      requireRoom(quota, {
        bytes: incoming.bytes - replaced.bytes,
        files: (incoming.files ?? 1) - replaced.files,
      });
    },
  };
}
