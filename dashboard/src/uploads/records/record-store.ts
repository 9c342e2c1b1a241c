import type { UploadRecord } from "./records.ts";

/** Keeps records in this browser. Failures, such as a full disk, do not stop uploads. */
export interface RecordStore {
  all(): Promise<readonly UploadRecord[]>;
  write(changes: {
    readonly put: readonly UploadRecord[];
    readonly remove: readonly string[];
  }): Promise<void>;
}

const DATABASE = "holdall-uploads";
const RECORDS = "records";

export function createRecordStore(): RecordStore {
  let opening: Promise<IDBDatabase> | undefined;

  function open(): Promise<IDBDatabase> {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { keyPath: "key" });
      request.onsuccess = () => {
        const database = request.result;
        // Another page wants to remove the database.
        database.onversionchange = () => {
          database.close();
          opening = undefined;
        };
        resolve(database);
      };
      request.onerror = () => reject(request.error);
    });
    return opening;
  }

  return {
    async all() {
      try {
        const database = await open();
        return await new Promise<UploadRecord[]>((resolve, reject) => {
          const request = database.transaction(RECORDS).objectStore(RECORDS).getAll();
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      } catch {
        return [];
      }
    },
    async write({ put, remove }) {
      try {
        const database = await open();
        const transaction = database.transaction(RECORDS, "readwrite");
        const records = transaction.objectStore(RECORDS);
        for (const key of remove) records.delete(key);
        for (const record of put) records.put(record);
        await new Promise<void>((resolve, reject) => {
          transaction.oncomplete = () => resolve();
          transaction.onabort = () => reject(transaction.error);
        });
      } catch {
        // The uploads still work, they only do not survive the page.
      }
    },
  };
}
