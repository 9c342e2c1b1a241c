import { readStored, removeStored } from "../app/local-storage.ts";
import { remove } from "./queue.ts";
import { readHandles } from "./records/give-again.ts";
import { HAS_RECORDS } from "./records/has-records.ts";
import { keepRecords, ownKeys } from "./records/keep-records.ts";
import { createRecordStore } from "./records/record-store.ts";
import { addRecords } from "./records/records.ts";
import { askServer } from "./records/restore.ts";
import { createTabs } from "./tabs.ts";
import { uploadClient, uploads } from "./uploads.ts";

/* What closed pages have left over: shown as interrupted, and continued if the files are at hand. */

const { work } = uploads;
const store = createRecordStore();
const keeper = keepRecords(work, store);
const tabs = createTabs({
  ownKeys: () => ownKeys(work),
  onTaken: removeTaken,
  onLeft: () => void restore(),
});

/** Older records are removed: the server has forgotten their uploads long ago. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

let restoring: Promise<void> | undefined;

/** Resolves when the interrupted uploads are known. */
export const restored = (): Promise<void> => (restoring ??= restore());

let announced = "";

work.subscribe(() => {
  const keys = ownKeys(work);
  const now = keys.join();
  if (now !== announced) tabs.announce(keys);
  announced = now;
});

async function restore(): Promise<void> {
  if (readStored(HAS_RECORDS) === null) return;
  const [records, others] = await Promise.all([store.all(), tabs.ask()]);
  if (others.size > 0) askAgain();
  if (records.length === 0) return removeStored(HAS_RECORDS);
  const known = new Set([...work.items, ...work.groups].map(({ record }) => record));
  const groups = new Set([...others, ...known]);
  const left = records.filter(
    (record) =>
      !groups.has(record.key) &&
      !keeper.keeps(record.key) &&
      !(record.kind === "item" && groups.has(record.group ?? "")),
  );
  const outdated = left.filter(({ at }) => at < Date.now() - MAX_AGE_MS);
  const ids = addRecords(
    work,
    left.filter((record) => !outdated.includes(record)),
  );
  keeper.know(left);
  if (ids.size === 0) return;
  work.isHidden = false;
  work.publish();
  await askServer(work, uploadClient, ids);
  uploads.run();
  await readHandles(uploads, uploadClient, ids);
}

/** While other tabs have uploads: a tab that crashes, or is closed in a hurry, says nothing. */
const ASK_AGAIN_MS = 5_000;
let willAsk = false;

function askAgain(): void {
  if (willAsk) return;
  willAsk = true;
  setTimeout(() => {
    willAsk = false;
    void restore();
  }, ASK_AGAIN_MS);
}

/** Another tab continues what this one shows as interrupted. */
function removeTaken(keys: ReadonlySet<string>): void {
  askAgain();
  const isTaken = ({
    record,
    state,
  }: {
    readonly record: string;
    readonly state: string;
  }): boolean => state === "interrupted" && keys.has(record);
  const groups = work.groups.filter(isTaken);
  const ids = new Set(groups.map(({ id }) => id));
  const items = work.items.filter((item) =>
    item.group === undefined ? isTaken(item) : ids.has(item.group),
  );
  if (groups.length + items.length === 0) return;
  work.groups = work.groups.filter((group) => !groups.includes(group));
  work.items = remove(work.items, new Set(items.map(({ id }) => id)));
  // The other tab has the records now.
  keeper.forget([...groups, ...items].map(({ record }) => record));
  work.publish();
}
