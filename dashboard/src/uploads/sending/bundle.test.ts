import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Item, itemOf } from "../item.ts";
import { distributeProgress, nextBundle, SMALL_BYTES } from "./bundle.ts";

const limits = { files: 100 };

function file(id: number, folder: string, size: number, more: Partial<Item> = {}): Item {
  return { ...itemOf(id, { folder, name: `${id}`, content: new Blob() }), size, ...more };
}
const idsOf = (bundle: readonly Item[]) => bundle.map(({ id }) => id);

test("bundles small files of one folder, skipping those of others", () => {
  const queue = [
    file(1, "a", 10),
    file(2, "b", 10),
    file(3, "a", 10),
    file(4, "a", SMALL_BYTES + 1),
  ];
  expect(idsOf(nextBundle(queue, limits))).toEqual([1, 3]);
});

test("sends large files and suspects of a refused bundle alone", () => {
  const large = file(1, "a", SMALL_BYTES + 1);
  expect(idsOf(nextBundle([large, file(2, "a", 1)], limits))).toEqual([1]);
  expect(
    idsOf(nextBundle([file(1, "a", 1, { sendAlone: true }), file(2, "a", 1)], limits)),
  ).toEqual([1]);
  expect(
    idsOf(nextBundle([file(1, "a", 1), file(2, "a", 1, { sendAlone: true })], limits)),
  ).toEqual([1]);
});

test("a bundle has one conflict decision and no duplicate names", () => {
  const queue = [
    file(1, "a", 1, { name: "é" }),
    file(2, "a", 1, { decision: "replace" }),
    file(3, "a", 1, { name: "e\u0301" }),
    file(4, "a", 1),
  ];
  expect(idsOf(nextBundle(queue, limits))).toEqual([1, 4]);
});

test("bundles only waiting files", () => {
  const queue = [file(1, "a", 1, { state: "done" }), file(2, "a", 1, { state: "sending" })];
  expect(nextBundle(queue, limits)).toEqual([]);
  expect(idsOf(nextBundle([...queue, file(3, "a", 1)], limits))).toEqual([3]);
});

test("bundles are never empty while files wait, and respect both limits", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 2 * SMALL_BYTES }), { minLength: 1 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 20 }), (list, files) => {
      const bundle = nextBundle(
        list.map((size, at) => file(at + 1, "a", size)),
        { files },
      );
      expect(bundle.length).toBeGreaterThan(0);
      expect(bundle.length).toBeLessThanOrEqual(files);
      const bytes = bundle.reduce((sum, { size }) => sum + size, 0);
      expect(bundle.length === 1 || bytes <= 8_000_000).toBe(true);
    }),
  );
});

test("distributes the sent bytes over the files in order", () => {
  const bundle = [file(1, "a", 10), file(2, "a", 0), file(3, "a", 5)];
  expect([...distributeProgress(bundle, 12)]).toEqual([
    [1, 10],
    [2, 0],
    [3, 2],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 15 }), (loaded) => {
      const sum = [...distributeProgress(bundle, loaded).values()].reduce(
        (one, other) => one + other,
      );
      expect(sum).toBe(loaded);
    }),
  );
});
