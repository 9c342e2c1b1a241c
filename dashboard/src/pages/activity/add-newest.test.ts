import { expect, test } from "bun:test";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { addNewest, type LoadedPages } from "./add-newest.ts";

const events = (...ids: string[]): ActivityObject[] =>
  ids.map((id) => ({
    id,
    at: "2026-03-10 12:00:00",
    action: "uploadFiles",
    outcome: "done",
    status: 200,
    actor: { kind: "none", id: null, name: null },
    address: null,
    subject: null,
    detail: {},
  }));

const pages = (...ids: string[][]): LoadedPages<null> => ({
  pages: ids.map((of) => ({ activity: events(...of), nextCursor: "next", timeRange: null })),
  pageParams: ids.map(() => null),
});

const loaded = pages(["6", "4"], ["3", "2"]);

test("adds new entries to the first page in their order", () => {
  expect(addNewest(loaded, events("7", "6", "5", "4", "3"))).toEqual(
    pages(["7", "6", "5", "4"], ["3", "2"]),
  );
});

test("changes nothing if all entries are known", () => {
  expect(addNewest(loaded, events("6", "4"))).toBe(loaded);
});

test("is undefined if no entry is known", () => {
  expect(addNewest(loaded, events("9", "8"))).toBeUndefined();
  expect(addNewest(loaded, [])).toBeUndefined();
});
