import { expect, test } from "bun:test";
import fc from "fast-check";
import { assignBatches, groupOf, relativeFolder } from "./group.ts";
import { itemOf } from "./item.ts";

const item = (id: number, batch?: number) => ({
  ...itemOf(id, { folder: "t/f", name: `${id}`, content: new Blob() }),
  group: 1,
  batch,
});

test("a folder needs as few batches as its files fit in", () => {
  const items = Array.from({ length: 25 }, (_, id) => item(id));
  const { assigned, batches } = assignBatches(items, 10);
  expect(batches).toBe(3);
  expect([assigned.get(0), assigned.get(9), assigned.get(10), assigned.get(24)]).toEqual([
    0, 0, 1, 2,
  ]);
  expect(assignBatches([], 10).batches).toBe(0);
});

test("no batch gets more files than it may have, and no file changes its batch", () => {
  const some = fc.array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }));
  fc.assert(
    fc.property(some, (list) => {
      const sizes = new Map<number, number>();
      const before = list.map((batch, id) => {
        const size = batch === undefined ? 0 : (sizes.get(batch) ?? 0);
        const hasRoom = batch !== undefined && size < 5;
        if (hasRoom) sizes.set(batch, size + 1);
        return item(id, hasRoom ? batch : undefined);
      });
      const { assigned, batches } = assignBatches(before, 5);
      for (const { id, batch } of before) {
        expect(assigned.has(id)).toBe(batch === undefined);
        const mine = assigned.get(id);
        if (mine !== undefined) sizes.set(mine, (sizes.get(mine) ?? 0) + 1);
      }
      expect(Math.max(0, ...sizes.values())).toBeLessThanOrEqual(5);
      expect(Math.max(-1, ...sizes.keys())).toBeLessThan(batches);
    }),
  );
});

test("folders of a batch are relative to the folder that gets the upload", () => {
  const group = groupOf(1, { folder: "t", name: "f", handle: undefined });
  expect(relativeFolder(item(1), group)).toBe("f");
  expect(relativeFolder(item(1), { ...group, folder: "" })).toBe("t/f");
});
