import { expect, test } from "bun:test";
import { type Group, groupOf } from "../group.ts";
import { type Item, itemOf } from "../item.ts";
import { groupTotals } from "../summary.ts";
import { groupStatus } from "./group-status.ts";

const base = groupOf(1, { folder: "f", name: "album", handle: undefined });

const file = (id: number, state: Item["state"], more: Partial<Item> = {}): Item => ({
  ...itemOf(id, { folder: "f/album", name: `${id}.jpg`, content: new Blob([" ".repeat(1_000)]) }),
  group: 1,
  state,
  sent: state === "done" ? 1_000 : 0,
  ...more,
});

function status(changes: Partial<Group>, items: readonly Item[], speed?: number): string {
  const group = { ...base, ...changes };
  const totals = groupTotals(items, [group]).get(1);
  if (totals === undefined) throw new Error("There are no totals.");
  return groupStatus(group, totals, speed);
}

test("a folder shows files, bytes, speed and the remaining time in one line", () => {
  const items = [file(1, "done"), file(2, "sending", { sent: 500 }), file(3, "waiting")];
  expect(status({ state: "sending" }, items, 500)).toBe(
    "1 of 3 files · 1.5 KB of 3.0 KB · 500 B/s · 3 s left",
  );
});

test("says what happens or what the user has to do", () => {
  const files = [file(1, "done"), file(2, "paused"), file(3, "paused")];
  expect(status({ state: "reading", found: 1_200 }, [])).toBe("Reading the folder · 1,200 files");
  expect(status({ state: "taken", conflicts: 2 }, files)).toBe("2 files already exist");
  expect(status({ state: "sending" }, files)).toBe("Paused · 1 of 3 files · 1.0 KB of 3.0 KB");
  expect(status({ state: "interrupted" }, files)).toBe(
    "1 of 3 files stored – choose the folder again to continue",
  );
  const failed = [file(1, "done"), file(2, "failed", { message: "Too large." })];
  expect(status({ state: "sending" }, failed)).toBe("1 file failed. “2.jpg”: Too large.");
});

test("a finished folder counts its files without skipped ones", () => {
  const items = [file(1, "done"), file(2, "done"), file(3, "skipped")];
  expect(status({ state: "done" }, items)).toBe("2 files · 2.0 KB · f");
  expect(status({ state: "done", skipped: 1 }, items)).toBe(
    "1 file · 2.0 KB · f · 1 skipped, because it already exists",
  );
});
