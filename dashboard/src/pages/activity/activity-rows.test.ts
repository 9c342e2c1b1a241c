import { expect, test } from "bun:test";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { activityRows } from "./activity-rows.ts";

const now = new Date("2026-03-10T12:00:00");

function event(id: string, daysAgo: number, of: Partial<ActivityObject> = {}): ActivityObject {
  const at = new Date(now.getTime() - daysAgo * 86_400_000).toISOString();
  const actor = { kind: "none", id: null, name: null } as const;
  return {
    id,
    at,
    action: "uploadFiles",
    outcome: "done",
    status: 200,
    actor,
    address: null,
    subject: null,
    detail: {},
    ...of,
  };
}
const subject = (kind: "file" | "folder", id: string, key: string) => ({
  subject: { kind, id, key, name: null } as const,
});

test("groups events by day", () => {
  const rows = activityRows([event("4", 0), event("3", 0), event("2", 1), event("1", 400)], now);
  expect(rows.map((row) => (row.kind === "day" ? row.text : row.id))).toEqual([
    "Today",
    "4",
    "3",
    "Yesterday",
    "2",
    expect.stringContaining("2025"),
    "1",
  ]);
});

test("marks events whose subject was deleted later, but not those after the deletion", () => {
  const rows = activityRows(
    [
      event("again", 0, subject("file", "f2", "a/b/new.txt")),
      event("refused", 0, {
        action: "deleteFiles",
        outcome: "failed",
        ...subject("file", "f2", "a/b/new.txt"),
      }),
      event("folder", 0, { action: "deleteFolder", ...subject("folder", "d", "a/b") }),
      event("inside", 0, subject("file", "f1", "a/b/old.txt")),
      event("sibling", 0, subject("file", "f3", "a/bc.txt")),
      event("file", 0, { action: "deleteFiles", ...subject("file", "f4", "x.txt") }),
      event("before", 0, subject("file", "f4", "x.txt")),
    ],
    now,
  );
  const deleted = rows.flatMap((row) => (row.kind === "event" && row.isDeleted ? [row.id] : []));
  expect(deleted).toEqual(["folder", "inside", "file", "before"]);
});

test("does not mark what was restored from the trash", () => {
  const trash = { detail: { trash: true } };
  const rows = activityRows(
    [
      event("later", 0, { action: "deleteFiles", ...trash, ...subject("file", "f2", "y.txt") }),
      event("restore", 0, {
        action: "restoreTrash",
        detail: { items: 1 },
        ...subject("file", "f1", "x.txt"),
      }),
      event("undone", 0, { action: "deleteFiles", ...trash, ...subject("file", "f1", "x.txt") }),
      event("before", 0, subject("file", "f1", "x.txt")),
      event("other", 0, subject("file", "f2", "y.txt")),
    ],
    now,
  );
  const deleted = rows.flatMap((row) => (row.kind === "event" && row.isDeleted ? [row.id] : []));
  expect(deleted).toEqual(["later", "other"]);
});

test("an act of several requests is one row, which has its events", () => {
  const move = (id: string, files: number) =>
    event(id, 0, { action: "changeFile", detail: { files, folderId: "d", destination: "to" } });
  const rows = activityRows([move("3", 10), move("2", 1_000), event("1", 0)], now);
  const earlier = activityRows([move("2", 1_000), event("1", 0)], now);
  expect(earlier[1]?.id).toBe(rows[1]?.id);
  const entries = rows.map((row) =>
    row.kind === "day" ? row.text : [row.id, row.entries.map((entry) => entry.event.id)],
  );
  expect(entries).toEqual(["Today", ["2", ["3", "2"]], ["1", []]]);
});
