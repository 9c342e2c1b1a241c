import { expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { createChecksumTrail } from "./checksum-trail.ts";

const STEP = 8 * 1024 * 1024;

test("knows the checksum at marks and at multiples of 8 MiB, however the bytes are split", () => {
  const bytes = new Uint8Array(2 * STEP + 12_345).map((_, at) => at * 31 + (at >> 8));
  const sizes = fc.array(fc.integer({ min: 1, max: 6_000_000 }), { minLength: 1, maxLength: 8 });
  const starts = fc.integer({ min: 0, max: bytes.length });
  fc.assert(
    fc.property(starts, sizes, (start, chunks) => {
      const trail = createChecksumTrail(start, crc32(bytes.subarray(0, start)));
      let at = start;
      for (const size of chunks) {
        trail.add(bytes.subarray(at, at + size));
        at = Math.min(bytes.length, at + size);
      }
      trail.mark();
      expect(trail.current).toBe(crc32(bytes.subarray(0, at)));
      expect(trail.at(at)).toBe(trail.current);
      for (const multiple of [STEP, 2 * STEP]) {
        if (multiple <= start || multiple > at) continue;
        expect(trail.at(multiple)).toBe(crc32(bytes.subarray(0, multiple)));
      }
      trail.forgetBefore(at);
      expect(trail.at(at)).toBe(trail.current);
      if (start < at) expect(trail.at(start)).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
