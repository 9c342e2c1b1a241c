import { expect, test } from "bun:test";
import fc from "fast-check";
import { blobId } from "../../domain/blob-id.ts";
import { createZipPlan } from "./zip-plan.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const content = { size: 1, checksum: 7, modifiedAt: 0 };

test("entries keep their blobs and paths, however many pages they take", () => {
  const anyPath = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.integer({ min: 20_000, max: 65_000 }).map((length) => "x".repeat(length)),
  );
  const anyBlob = fc.option(fc.integer({ min: 0, max: 2 ** 44 - 1 }), { nil: undefined });
  const anyEntry = fc.tuple(
    anyPath.filter((path) => path.isWellFormed()),
    anyBlob,
  );
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 12 }), (entries) => {
      const plan = createZipPlan();
      for (const [path, block] of entries) {
        const blob = block === undefined ? undefined : blobId(block, block % 256);
        plan.add({ ...content, path: encode(path) }, blob);
      }
      // A path is only valid until the next entry.
      const read = Array.from(plan.entries(), ({ path, blobId: id }) => [
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(path),
        id === undefined ? undefined : Math.floor(id / 256),
      ]);
      expect(read).toEqual(entries.map(([path, block]) => [path, block]));
    }),
  );
});

test("takes much less memory than the archive's directory", () => {
  const plan = createZipPlan();
  for (let index = 0; index < 20_000; index += 1) {
    const checksum = (index * 2_654_435_761) % 2 ** 32;
    const path = encode(`photos/2026/image-${index}.jpg`);
    plan.add(
      { path, size: 1000 + index, checksum, modifiedAt: 0 },
      blobId(index >> 8, index & 255),
    );
  }
  let directory = 0;
  for (const piece of plan.ending()) directory += piece.length;
  expect(plan.weight()).toBeLessThan(directory / 2);
});
