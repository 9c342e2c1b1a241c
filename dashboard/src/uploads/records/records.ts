import { type Group, type GroupDecision, type Groups, groupOf, isActive } from "../group.ts";
import { type ConflictDecision, type Item, isPending, itemOf } from "../item.ts";
import type { Queue } from "../queue.ts";
import type { Work } from "../work.ts";

/** The record of a file, with which its upload can continue after the page was closed. */
export interface ItemRecord {
  readonly key: string;
  readonly kind: "item";
  /** The key of its group's record. */
  readonly group: string | undefined;
  readonly batch: number | undefined;
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  readonly modified: number | undefined;
  readonly decision: ConflictDecision;
  readonly url: string | undefined;
  readonly handle: FileSystemFileHandle | undefined;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}

/** The record of a folder. */
export interface GroupRecord {
  readonly key: string;
  readonly kind: "group";
  readonly folder: string;
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle | undefined;
  readonly emptyFolders: readonly string[];
  readonly decision: GroupDecision;
  readonly batches: readonly string[];
  readonly at: number;
}

export type UploadRecord = ItemRecord | GroupRecord;

/** The records of everything that is not finished. */
export function recordsOf(items: Queue, groups: Groups, at: number): UploadRecord[] {
  const kept = groups.filter(isKeptGroup);
  const keys = new Map(kept.map(({ id, record }) => [id, record]));
  return [
    ...kept.map((group) => groupRecord(group, at)),
    ...items.filter((item) => isKept(item, keys)).map((item) => itemRecord(item, keys, at)),
  ];
}

/** Changes when the record has to be written again. */
export const versionOf = (record: UploadRecord): string =>
  record.kind === "item"
    ? `${record.batch} ${record.decision} ${record.modified} ${record.url}`
    : `${record.decision} ${record.emptyFolders.length} ${record.batches.join(" ")}`;

const isKeptGroup = (group: Group): boolean =>
  group.state !== "reading" &&
  (isActive(group) || group.state === "interrupted" || group.state === "failed");

function isKept(item: Item, groups: ReadonlyMap<number, string>): boolean {
  if (item.group !== undefined) return groups.has(item.group) && item.state !== "skipped";
  if (item.modified === undefined) return false;
  if (item.state === "failed") return item.url !== undefined;
  return isPending(item) || item.state === "interrupted";
}

function itemRecord(item: Item, groups: ReadonlyMap<number, string>, at: number): ItemRecord {
  const { record: key, batch, folder, name, size, modified, decision, url, handle } = item;
  const group = item.group === undefined ? undefined : groups.get(item.group);
  return {
    key,
    kind: "item",
    group,
    batch,
    folder,
    name,
    size,
    modified,
    decision,
    url,
    handle,
    at,
  };
}

function groupRecord(group: Group, at: number): GroupRecord {
  const { record: key, folder, name, handle, emptyFolders, decision, batches } = group;
  return { key, kind: "group", folder, name, handle, emptyFolders, decision, batches, at };
}

/** Adds interrupted items and groups to the work. Returns the ids of both. */
export function addRecords(work: Work, records: readonly UploadRecord[]): Set<number> {
  const groups = new Map<string, Group>();
  const ids = new Set<number>();
  for (const record of records) {
    if (record.kind !== "group") continue;
    const { key, at: _, kind: __, ...rest } = record;
    const id = work.nextId();
    ids.add(id);
    groups.set(key, { ...groupOf(id, record), ...rest, record: key, state: "interrupted" });
  }
  const items: Item[] = [];
  for (const record of records) {
    if (record.kind !== "item") continue;
    const group = record.group === undefined ? undefined : groups.get(record.group)?.id;
    if (record.group !== undefined && group === undefined) continue;
    const { key, at: _, kind: __, ...rest } = record;
    const id = work.nextId();
    ids.add(id);
    const blank = { ...itemOf(id, { ...record, content: new Blob() }), content: undefined };
    items.push({ ...blank, ...rest, record: key, group, state: "interrupted", mayBeStored: true });
  }
  work.groups = [...work.groups, ...groups.values()];
  work.items = [...work.items, ...items];
  return ids;
}
