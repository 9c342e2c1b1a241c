import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../domain/faults/fault.ts";
import { parseName } from "../domain/names/name.ts";
import type { MetadataText, Millis } from "../domain/records.ts";
import { parseSha256 } from "../domain/sha256.ts";
import { changeMetadata, parseMetadata } from "./file-metadata.ts";
import { MAX_HEADER_BYTES, MAX_METADATA_BYTES, MAX_PAIRS } from "./metadata-limits.ts";
import { type DeliveryRequest, planDelivery } from "./plan-delivery.ts";

const change = (fields: Record<string, string>) => changeMetadata(null, parseMetadata(fields));
const pairs = (count: number, name = "x", value = "1") =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${name}${at}`, value]));

test("has at most 2,048 bytes of JSON", () => {
  const disposition = (bytes: number) => {
    const escaped = `inline; filename="${'\\"'.repeat(255)}"`;
    const rest =
      MAX_METADATA_BYTES - JSON.stringify({ contentDisposition: escaped, "x-a": "" }).length;
    return { contentDisposition: escaped, "x-a": "a".repeat(rest + bytes) };
  };
  expect(change(disposition(0))?.length).toBe(MAX_METADATA_BYTES);
  expect(() => change(disposition(1))).toThrow(
    "The metadata is too long: its JSON has 2049 bytes; the limit is 2048.",
  );
});

test("has at most 32 pairs", () => {
  expect(change(pairs(MAX_PAIRS))).not.toBeNull();
  expect(() => change(pairs(MAX_PAIRS + 1))).toThrow("it has 33 pairs `x-…`; the limit is 32");
});

test("has at most 1,800 bytes of headers, in which the names of pairs count twice", () => {
  const room = MAX_HEADER_BYTES - "X-Meta-a: \r\n, X-Meta-a".length;
  expect(change({ "x-a": "a".repeat(room) })).not.toBeNull();
  expect(() => change({ "x-a": "a".repeat(room + 1) })).toThrow(
    "its headers may have 1800 bytes, and these have 1801",
  );
  expect(() => change(pairs(13, "a".repeat(60)))).toThrow("The name of a pair counts twice");
});

test("the head of every response has less than 4 KB and 60 headers", () => {
  const request: DeliveryRequest = {
    range: "bytes=1000000000000000-",
    ifMatch: null,
    ifUnmodifiedSince: null,
    ifNoneMatch: null,
    ifModifiedSince: null,
    ifRange: null,
    wantReprDigest: "sha-256=1",
  };
  const file = {
    name: parseName("(".repeat(255)),
    charset: "+",
    mimeType: `${"a".repeat(127)}/${"b".repeat(127)}`,
    size: Number.MAX_SAFE_INTEGER,
    sha256: parseSha256("0".repeat(64)),
    modifiedAt: 8_640_000_000_000_000 as Millis,
  };
  // The status line and what the server and proxies add: Date, Connection, Keep-Alive, X-Accel-Redirect.
  const ADDED = 200;
  const name = fc.stringMatching(/^x-[a-z0-9]{1,61}$/);
  const fields = fc.tuple(
    fc.record(
      {
        cacheControl: fc.integer({ min: 1, max: 2000 }).map((length) => "a".repeat(length)),
        contentDisposition: fc.constant(`inline; filename*=UTF-8''${"%28".repeat(255)}`),
        contentLanguage: fc.constantFrom("de", Array(300).fill("de-CH").join(", ")),
        contentEncoding: fc.constant("gzip"),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(
      name,
      fc.integer({ min: 1, max: 2000 }).map((length) => "v".repeat(length)),
    ),
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 58 }),
  );
  fc.assert(
    fc.property(
      fields,
      fc.constantFrom("public", "private"),
      ([named, own, count, length], visibility) => {
        let metadata: MetadataText | null;
        try {
          metadata = change({ ...named, ...own, ...pairs(count, "n".repeat(length)) });
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          return;
        }
        const { headers } = planDelivery(
          request,
          { ...file, metadata, visibility },
          { disposition: "attachment", cacheMaxAge: 2_147_483_647 },
        );
        const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`);
        expect(lines.join("").length + ADDED).toBeLessThan(4096);
        expect(lines.length).toBeLessThan(60);
      },
    ),
    { numRuns: 1000 },
  );
});
