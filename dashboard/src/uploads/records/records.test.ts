import { expect, test } from "bun:test";
import { groupOf } from "../group.ts";
import { type Item, itemOf } from "../item.ts";
import { createWork } from "../work.ts";
import { addRecords, recordsOf, versionOf } from "./records.ts";

const file = (id: number, more: Partial<Item> = {}): Item => ({
  ...itemOf(id, {
    folder: "f",
    name: `${id}`,
    content: new File(["12345"], `${id}`, { lastModified: 1 }),
  }),
  ...more,
});

test("keeps what is not finished: files, and folders with all their files", () => {
  const groups = [
    { ...groupOf(10, { folder: "f", name: "open", handle: undefined }), state: "sending" as const },
    { ...groupOf(11, { folder: "f", name: "over", handle: undefined }), state: "done" as const },
  ];
  const items = [
    file(1),
    file(2, { state: "done" }),
    file(3, { state: "paused", url: "u" }),
    file(4, { state: "cancelled" }),
    file(5, { state: "failed" }),
    file(6, { state: "failed", url: "u" }),
    file(7, { group: 10, state: "done" }),
    file(8, { group: 11, state: "done" }),
    // Nobody can choose a pasted picture again.
    itemOf(9, { folder: "f", name: "pasted", content: new Blob(["x"]) }),
  ];
  const names = recordsOf(items, groups, 0).map(({ name }) => name);
  expect(names).toEqual(["open", "1", "3", "6", "7"]);
});

test("a restored queue has the same records, and waits for its files", () => {
  const group = { ...groupOf(10, { folder: "f", name: "g", handle: undefined }) };
  const items = [
    file(1, { url: "https://x/api/uploads/1", decision: "replace", sent: 3 }),
    file(2, { group: 10, batch: 0 }),
  ];
  const groups = [{ ...group, state: "sending" as const, batches: ["b"], emptyFolders: ["f/g/e"] }];
  const records = recordsOf(items, groups, 7);
  const work = createWork();
  const ids = addRecords(work, records);
  expect(ids.size).toBe(3);
  expect(work.items.map(({ state, content }) => [state, content])).toEqual([
    ["interrupted", undefined],
    ["interrupted", undefined],
  ]);
  expect(work.groups[0]?.state).toBe("interrupted");
  expect(work.items[1]?.group).toBe(work.groups[0]?.id);
  expect(recordsOf(work.items, work.groups, 7)).toEqual(records);
});

test("leaves out files whose folder is not there", () => {
  const [record] = recordsOf([file(1)], [], 0);
  const work = createWork();
  if (record?.kind !== "item") throw new Error("There is no record.");
  expect(addRecords(work, [{ ...record, group: "unknown" }]).size).toBe(0);
  expect(work.items).toEqual([]);
});

test("a record is written again when its URL or its decision changes, not for progress", () => {
  const version = (more: Partial<Item>) => recordsOf([file(1, more)], [], 0).map(versionOf);
  expect(version({ sent: 4 })).toEqual(version({}));
  expect(version({ url: "u" })).not.toEqual(version({}));
  expect(version({ decision: "keepBoth" })).not.toEqual(version({}));
});
