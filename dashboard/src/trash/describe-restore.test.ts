import { expect, test } from "bun:test";
import { describeFailed, describeRestored } from "./describe-restore.ts";

const item = (key: string, renamed = false) => ({ id: key, kind: "file" as const, key, renamed });

test("names a single entry and its folder", () => {
  expect(describeRestored({ restored: [item("photos/a.jpg")], failed: [] })).toBe(
    "Restored “a.jpg” to “photos”.",
  );
  expect(describeRestored({ restored: [item("a.jpg")], failed: [] })).toBe(
    "Restored “a.jpg” to “Files”.",
  );
});

test("says when a name was taken", () => {
  expect(describeRestored({ restored: [item("photos/a (2).jpg", true)], failed: [] })).toBe(
    "Restored to “photos” as “a (2).jpg”, because the name was taken.",
  );
  expect(describeRestored({ restored: [item("a"), item("b (2)", true)], failed: [] })).toBe(
    "Restored 2 items, 1 of them under a new name.",
  );
});

test("counts several entries, and gives the first reason for failures", () => {
  expect(describeRestored({ restored: [item("a"), item("b")], failed: [] })).toBe(
    "Restored 2 items.",
  );
  const failed = [{ id: "a", reason: "It is not in the trash." }];
  expect(describeRestored({ restored: [], failed })).toBeUndefined();
  expect(describeFailed({ restored: [], failed })).toBe(
    "1 item couldn't be restored: It is not in the trash.",
  );
  expect(describeFailed({ restored: [], failed: [] })).toBeUndefined();
});
