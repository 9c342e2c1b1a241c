import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../domain/faults/fault.ts";
import { parseName, ROOT_KEY } from "../domain/names/name.ts";
import type { BlobId } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import { type AppendHead, planAppend } from "./plan-append.ts";
import { OffsetFault } from "./upload-faults.ts";

const upload = (changes: Partial<UploadRecord> = {}): UploadRecord => ({
  id: "id",
  secretHash: "",
  maker: { kind: "key", id: "k", name: "k" },
  within: [],
  batchId: null,
  folder: ROOT_KEY,
  name: parseName("a.txt"),
  contentType: null,
  visibility: null,
  lifetime: null,
  metadata: null,
  tusMetadata: null,
  onConflict: "refuse",
  expectedSha256: null,
  length: null,
  maxSize: 100,
  types: [],
  offset: 10,
  checksum: 0,
  blobId: 0 as BlobId,
  growth: null,
  tailBlobId: null,
  tailSize: 0,
  state: "open",
  fileId: null,
  createdAt: 0,
  expiresAt: 0,
  ...changes,
});

const head = (changes: Partial<AppendHead> = {}): AppendHead => ({
  offset: 10,
  size: 5,
  length: null,
  isLast: null,
  name: null,
  contentType: null,
  sha256: null,
  ...changes,
});

describe("a request", () => {
  test("gives the length once, in any of three ways", () => {
    expect(planAppend(upload(), head()).length).toBeNull();
    expect(planAppend(upload({ length: 50 }), head()).length).toBe(50);
    expect(planAppend(upload(), head({ length: 50 })).length).toBe(50);
    expect(planAppend(upload(), head({ isLast: true })).length).toBe(15);
    expect(planAppend(upload(), head({ isLast: true, size: null })).endsWithBody).toBe(true);
    expect(() => planAppend(upload({ length: 50 }), head({ length: 51 }))).toThrow("not change");
    expect(() => planAppend(upload(), head({ length: 9, size: 0 }))).toThrow("10 bytes are stored");
  });

  test("must not end the file before its length", () => {
    const early = "ends at byte 15, but the file has 50 bytes";
    expect(() => planAppend(upload({ length: 50 }), head({ isLast: true }))).toThrow(early);
    expect(() => planAppend(upload(), head({ length: 50, isLast: true }))).toThrow(early);
    const unknown = planAppend(upload({ length: 50 }), head({ isLast: true, size: null }));
    expect(unknown).toMatchObject({ length: 50, endsWithBody: false });
    expect(() => planAppend(upload({ length: 12 }), head({ isLast: true }))).toThrow("not change");
  });

  test("names the file once", () => {
    const unnamed = upload({ name: null });
    expect(() => planAppend(unnamed, head())).toThrow("no name yet");
    const name = parseName("late.txt");
    expect(planAppend(unnamed, head({ name }))).toMatchObject({ name, mimeType: "text/plain" });
    expect(planAppend(upload(), head({ name })).name).toBe(parseName("a.txt"));
  });

  test("with an offset that is not the current one says which is", () => {
    const error = (() => {
      try {
        return planAppend(upload(), head({ offset: 11 }));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(OffsetFault);
    expect(error).toMatchObject({ kind: "conflict", offset: 10 });
  });
});

test("no plan has an end beyond the length or the maximum", () => {
  const counts = fc.integer({ min: 0, max: 130 });
  const maybe = fc.option(counts);
  const heads = fc.record({ size: maybe, length: maybe, isLast: fc.option(fc.boolean()) });
  fc.assert(
    fc.property(maybe, heads, (length, changes) => {
      try {
        const plan = planAppend(upload({ length }), head(changes));
        expect(plan.end).toBeLessThanOrEqual(100);
        expect(plan.end).toBe(plan.length ?? 100);
        if (length !== null) expect(plan.length).toBe(length);
        if (changes.size !== null) expect(10 + changes.size).toBeLessThanOrEqual(plan.end);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
