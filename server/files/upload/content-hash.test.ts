import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { createContentHash } from "./content-hash.ts";

test("the sums of a content do not depend on its chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 })), (chunks) => {
      const hash = createContentHash();
      for (const chunk of chunks) hash.update(chunk);
      const whole = Buffer.concat(chunks);
      expect(hash.end()).toMatchObject({
        size: whole.length,
        checksum: Bun.hash.crc32(whole),
        sha256: createHash("sha256").update(whole).digest("hex"),
      });
    }),
  );
});
