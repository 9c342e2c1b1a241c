import { expect, test } from "bun:test";
import { itemOf } from "../item.ts";
import { summaryOf } from "../summary.ts";
import { displayOrder } from "./display-order.ts";
import { formatProgress, formatTimeLeft, queueTitle, withoutName } from "./status-text.ts";

test.each([
  [undefined, ""],
  [0.2, "1 s left"],
  [59.2, "60 s left"],
  [61, "2 min left"],
  [7_500, "2 h 5 min left"],
])("formats %p seconds as %p", (seconds, text) => {
  expect(formatTimeLeft(seconds)).toBe(text);
});

test.each([
  ["“huge.iso” is larger than the limit of 5 GiB.", "Larger than the limit of 5 GiB."],
  ['"huge.iso" already exists in this folder.', "Already exists in this folder."],
  ["The server is busy.", "The server is busy."],
  ['"huge.iso.zip" is refused.', '"huge.iso.zip" is refused.'],
])("a row with a name says %p as %p", (message, text) => {
  expect(withoutName(message, "huge.iso")).toBe(text);
});

test("progress shows what is known", () => {
  expect(formatProgress(0, 5_000_000, undefined)).toBe("0 B of 5.0 MB");
  expect(formatProgress(1_000_000, 5_000_000, 2_000_000)).toBe(
    "1.0 MB of 5.0 MB · 2.0 MB/s · 2 s left",
  );
  expect(formatProgress(5_000_000, 5_000_000, 2_000_000)).toBe(
    "5.0 MB of 5.0 MB · 2.0 MB/s · finishing",
  );
});

const items = (["done", "waiting", "sending", "failed", "done", "taken"] as const).map(
  (state, at) => ({ ...itemOf(at, { folder: "", name: `${at}`, content: new Blob() }), state }),
);

test("shows active items and conflicts first, and finished ones last, as they were sent", () => {
  const order = displayOrder(items, []);
  expect(order.map((row) => row.kind === "item" && row.item.id)).toEqual([2, 5, 3, 1, 0, 4]);
});

test("the title shows the most important state", () => {
  const of = (...states: number[]) =>
    queueTitle(summaryOf(states.flatMap((at) => items[at] ?? [])));
  expect(of(0, 1, 2)).toBe("Uploading 2 of 3");
  expect(of(2)).toBe("Uploading");
  expect(of(0, 5, 3)).toBe("1 file already exists");
  expect(of(0, 3)).toBe("1 upload failed");
  expect(of(0, 4)).toBe("2 uploaded");
});
