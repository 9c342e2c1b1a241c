import { removeStored, writeStored } from "../../app/local-storage.ts";
import { isActive } from "../group.ts";
import { isPending } from "../item.ts";
import type { Work } from "../work.ts";
import { HAS_RECORDS } from "./has-records.ts";
import type { RecordStore } from "./record-store.ts";
import { recordsOf, type UploadRecord, versionOf } from "./records.ts";

export interface RecordKeeper {
  /** These records are in the store already. */
  know(records: readonly UploadRecord[]): void;
  /** Whether the record is one of this tab, or is just being removed. */
  keeps(key: string): boolean;
  /** Another tab keeps the records with these keys. */
  forget(keys: readonly string[]): void;
}

/** Comparing many records takes time, so that is not done at every step. */
const MANY_ITEMS = 500;
const SAVE_MS = 400;

/** Keeps the records in the store equal to the work. */
export function keepRecords(work: Work, store: RecordStore): RecordKeeper {
  const written = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const records = recordsOf(work.items, work.groups, Date.now());
    const put = records.filter((record) => written.get(record.key) !== versionOf(record));
    const keys = new Set(records.map(({ key }) => key));
    const remove = [...written.keys()].filter((key) => !keys.has(key));
    if (put.length === 0 && remove.length === 0) return;
    for (const record of put) written.set(record.key, versionOf(record));
    for (const key of remove) written.delete(key);
    if (put.length > 0) writeStored(HAS_RECORDS, "true");
    await store.write({ put, remove });
    // Other tabs may have records.
    if (records.length === 0 && (await store.all()).length === 0) removeStored(HAS_RECORDS);
  }

  work.subscribe(() => {
    timer ??= setTimeout(() => void flush(), work.items.length > MANY_ITEMS ? SAVE_MS : 0);
  });
  window.addEventListener("pagehide", () => void flush());

  return {
    know(records) {
      for (const record of records) written.set(record.key, versionOf(record));
    },
    keeps: (key) => written.has(key),
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
