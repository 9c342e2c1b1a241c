import { writeStored } from "../app/local-storage.ts";
import { isActive } from "./group.ts";
import { HAS_RECORDS } from "./has-records.ts";
import { isPending } from "./item.ts";
import type { RecordStore } from "./record-store.ts";
import { recordsOf, type UploadRecord, versionOf } from "./records.ts";
import type { Work } from "./work.ts";

export interface RecordKeeper {
  /** These records are in the store already. */
  know(records: readonly UploadRecord[]): void;
  /** Another tab keeps the records with these keys. */
  forget(keys: readonly string[]): void;
}

const SAVE_MS = 400;

/** Keeps the records in the store equal to the work. */
export function keepRecords(work: Work, store: RecordStore): RecordKeeper {
  const written = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const records = recordsOf(work.items, work.groups, Date.now());
    const put = records.filter((record) => written.get(record.key) !== versionOf(record));
    const keys = new Set(records.map(({ key }) => key));
    const remove = [...written.keys()].filter((key) => !keys.has(key));
    if (put.length === 0 && remove.length === 0) return Promise.resolve();
    for (const record of put) written.set(record.key, versionOf(record));
    for (const key of remove) written.delete(key);
    if (put.length > 0) writeStored(HAS_RECORDS, "true");
    return store.write({ put, remove });
  }

  work.subscribe(() => {
    timer ??= setTimeout(flush, SAVE_MS);
  });
  window.addEventListener("pagehide", () => void flush());

  return {
    know(records) {
      for (const record of records) written.set(record.key, versionOf(record));
    },
    forget(keys) {
      for (const key of keys) written.delete(key);
    },
  };
}

/** The records of everything that this tab is working on. */
export function ownKeys({ items, groups }: Work): string[] {
  const active = groups.filter(isActive).map(({ record }) => record);
  const loose = items.filter((item) => item.group === undefined && isPending(item));
  return [...active, ...loose.map(({ record }) => record)];
}
