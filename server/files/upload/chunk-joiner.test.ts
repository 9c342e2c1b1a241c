import { expect, test } from "bun:test";
import fc from "fast-check";
import { createChunkJoiner } from "./chunk-joiner.ts";

test("joins small chunks up to the size, passes large ones on, and keeps every byte", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (chunks) => {
      const joiner = createChunkJoiner(8);
      const joined = [...chunks.flatMap((chunk) => joiner.add(chunk)), ...joiner.end()];
      expect(Buffer.concat(joined)).toEqual(Buffer.concat(chunks));
      for (const chunk of joined) {
        expect(chunk.length <= 8 || chunks.some((whole) => whole === chunk)).toBe(true);
      }
      expect(joiner.end()).toEqual([]);
    }),
  );
});
