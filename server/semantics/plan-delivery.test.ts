import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseName } from "../domain/names/name.ts";
import { parseSha256 } from "../domain/sha256.ts";
import { changeMetadata, parseMetadata } from "./file-metadata.ts";
import {
  type DeliveredFile,
  type DeliveryRequest,
  fileHeaders,
  planDelivery,
} from "./plan-delivery.ts";

const TAG = '"3e8-19c13634b88"';
const LAST_MODIFIED = "Sat, 31 Jan 2026 09:30:00 GMT";
const EARLIER = "Sat, 31 Jan 2026 09:29:59 GMT";

const publicFile: DeliveredFile = {
  name: parseName("report.txt"),
  charset: "+",
  mimeType: "text/plain",
  size: 1000,
  sha256: null,
  metadata: null,
  visibility: "public",
  modifiedAt: Date.UTC(2026, 0, 31, 9, 30) + 456,
};
const privateFile: DeliveredFile = { ...publicFile, visibility: "private" };
const options = { disposition: "inline", cacheMaxAge: 0 } as const;

const noHeaders: DeliveryRequest = {
  range: null,
  ifMatch: null,
  ifUnmodifiedSince: null,
  ifNoneMatch: null,
  ifModifiedSince: null,
  ifRange: null,
  wantReprDigest: null,
};
const plan = (request: Partial<DeliveryRequest>, file = publicFile) =>
  planDelivery({ ...noHeaders, ...request }, file, options);

const commonHeaders = {
  "Accept-Ranges": "bytes",
  "Content-Security-Policy": "sandbox",
  "X-Content-Type-Options": "nosniff",
};
const publicFileHeaders = {
  ...commonHeaders,
  "Cache-Control": "public, max-age=0, must-revalidate",
  ETag: TAG,
  "Last-Modified": LAST_MODIFIED,
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Repr-Digest",
  "Cross-Origin-Resource-Policy": "cross-origin",
};
const privateFileHeaders = { ...commonHeaders, "Cache-Control": "private, no-store" };
const contentHeaders = {
  "Content-Type": "text/plain; charset=utf-8",
  "Content-Disposition": `inline; filename="report.txt"; filename*=UTF-8''report.txt`,
};

describe("complete headers", () => {
  test("200 of a public file", () => {
    expect(plan({})).toEqual({
      status: 200,
      headers: { ...publicFileHeaders, ...contentHeaders, "Content-Length": "1000" },
    });
  });

  test("200 of a file with metadata", () => {
    const fields = {
      expires: "Wed, 01 Dec 2027 16:00:00 GMT",
      "x-a": "1",
      "x-amz-meta-b": "2",
    };
    const metadata = changeMetadata(null, parseMetadata(fields));
    const pairs = { "X-Meta-a": "1", "x-amz-meta-b": "2" };
    expect(plan({}, { ...publicFile, metadata }).headers).toMatchObject({
      Expires: fields.expires,
      ...pairs,
    });
    const hidden = plan({}, { ...privateFile, metadata }).headers;
    expect(hidden).toMatchObject(pairs);
    expect(hidden).not.toHaveProperty("Expires");
  });

  test("206 of a public file", () => {
    expect(plan({ range: "bytes=100-199" })).toEqual({
      status: 206,
      headers: {
        ...publicFileHeaders,
        ...contentHeaders,
        "Content-Length": "100",
        "Content-Range": "bytes 100-199/1000",
      },
      slice: { start: 100, end: 200 },
    });
  });

  test("304 has no headers that describe a body", () => {
    expect(plan({ ifNoneMatch: TAG })).toEqual({ status: 304, headers: publicFileHeaders });
  });

  test("416 has the size and no-store", () => {
    expect(plan({ range: "bytes=1000-" })).toEqual({
      status: 416,
      headers: {
        ...publicFileHeaders,
        "Cache-Control": "no-store",
        "Content-Range": "bytes */1000",
      },
    });
  });

  test("200 of a private file", () => {
    expect(plan({}, privateFile)).toEqual({
      status: 200,
      headers: { ...privateFileHeaders, ...contentHeaders, "Content-Length": "1000" },
    });
  });

  test("206 of a private file", () => {
    expect(plan({ range: "bytes=-1" }, privateFile)).toEqual({
      status: 206,
      headers: {
        ...privateFileHeaders,
        ...contentHeaders,
        "Content-Length": "1",
        "Content-Range": "bytes 999-999/1000",
      },
      slice: { start: 999, end: 1000 },
    });
  });

  test("416 of a private file", () => {
    expect(plan({ range: "bytes=5000-" }, privateFile)).toEqual({
      status: 416,
      headers: { ...privateFileHeaders, "Content-Range": "bytes */1000" },
    });
  });

  test("fileHeaders are the headers of every response", () => {
    expect<Record<string, string>>({ ...fileHeaders }).toEqual(commonHeaders);
  });
});

test("an attachment differs from inline only in its Content-Disposition", () => {
  const saved = planDelivery(noHeaders, publicFile, { ...options, disposition: "attachment" });
  const disposition = contentHeaders["Content-Disposition"].replace("inline", "attachment");
  expect(saved.headers).toEqual({
    ...plan({}).headers,
    "Content-Disposition": disposition,
  });
});

test("max-age is the configured one, for public files only", () => {
  const cached = { ...options, cacheMaxAge: 3600 };
  expect(planDelivery(noHeaders, publicFile, cached).headers["Cache-Control"]).toBe(
    "public, max-age=3600, must-revalidate",
  );
  expect(planDelivery(noHeaders, privateFile, cached).headers["Cache-Control"]).toBe(
    "private, no-store",
  );
});

test.each([
  ["bytes=0-99", 206, "bytes 0-99/1000"],
  ["bytes=500-", 206, "bytes 500-999/1000"],
  ["bytes=-200", 206, "bytes 800-999/1000"],
  ["bytes=1000-", 416, "bytes */1000"],
  ["bytes=900-5000", 206, "bytes 900-999/1000"],
  ["bytes=0-1,5-6", 200, undefined],
  ["bytes=5000-,6000-", 200, undefined],
  ["items=0-1", 200, undefined],
  ["bytes=9-1", 200, undefined],
  ["bytes=-0", 416, "bytes */1000"],
])("Range: %s gives %d, public or private", (range, status, contentRange) => {
  for (const file of [publicFile, privateFile]) {
    const delivery = plan({ range }, file);
    expect<number>(delivery.status).toBe(status);
    expect(delivery.headers["Content-Range"]).toBe(contentRange);
  }
});

test.each([
  ["If-None-Match matches", { ifNoneMatch: TAG }, 304],
  ["its weak form matches", { ifNoneMatch: `W/${TAG}` }, 304],
  ["one of a list matches", { ifNoneMatch: `"x", ${TAG}` }, 304],
  ["a star matches", { ifNoneMatch: "*" }, 304],
  ["If-None-Match does not match", { ifNoneMatch: '"x"' }, 200],
  ["not modified since", { ifModifiedSince: LAST_MODIFIED }, 304],
  ["modified since", { ifModifiedSince: EARLIER }, 200],
  ["modified since an invalid date", { ifModifiedSince: "yesterday" }, 200],
  ["both, and only the date matches", { ifNoneMatch: '"x"', ifModifiedSince: LAST_MODIFIED }, 200],
  ["both, and only the tag matches", { ifNoneMatch: TAG, ifModifiedSince: EARLIER }, 304],
  ["an empty list still precedes a date", { ifNoneMatch: "", ifModifiedSince: LAST_MODIFIED }, 200],
  ["If-Match matches", { ifMatch: TAG }, 200],
  ["If-Match matches, and so does If-None-Match", { ifMatch: "*", ifNoneMatch: TAG }, 304],
  ["its weak form does not match", { ifMatch: `W/${TAG}` }, 412],
  ["If-Match precedes a range", { ifMatch: '"x"', range: "bytes=0-9" }, 412],
  ["unmodified since", { ifUnmodifiedSince: LAST_MODIFIED }, 200],
  ["not unmodified since", { ifUnmodifiedSince: EARLIER }, 412],
  ["If-Match precedes a date", { ifMatch: TAG, ifUnmodifiedSince: EARLIER }, 200],
  ["a match precedes a range", { ifNoneMatch: TAG, range: "bytes=0-9" }, 304],
  ["a match precedes a bad range", { ifNoneMatch: TAG, range: "bytes=5000-" }, 304],
  ["no match and a range", { ifNoneMatch: '"x"', range: "bytes=0-9" }, 206],
])("%s", (_, request, status) => {
  expect<number>(plan(request).status).toBe(status);
});

test.each([
  ["the current tag", TAG, 206],
  ["the exact Last-Modified", LAST_MODIFIED, 206],
  ["the weak form of the tag", `W/${TAG}`, 200],
  ["a stale tag", '"x"', 200],
  ["an earlier date", EARLIER, 200],
  ["a later date", "Sat, 31 Jan 2026 09:30:01 GMT", 200],
  ["garbage", "garbage", 200],
])("If-Range with %s", (_, ifRange, status) => {
  expect<number>(plan({ range: "bytes=0-9", ifRange }).status).toBe(status);
  expect<number>(plan({ range: "bytes=5000-", ifRange }).status).toBe(status === 206 ? 416 : 200);
  expect(plan({ ifRange }).status).toBe(200);
});

test("an empty file gives 200 with length 0, and 416 for any range", () => {
  for (const file of [publicFile, privateFile]) {
    const empty = { ...file, size: 0 };
    expect(plan({}, empty)).toMatchObject({ status: 200, headers: { "Content-Length": "0" } });
    for (const range of ["bytes=0-", "bytes=0-0", "bytes=-5", "bytes=-0"]) {
      const delivery = plan({ range }, empty);
      expect(delivery).toMatchObject({ status: 416, headers: { "Content-Range": "bytes */0" } });
    }
  }
});

const header = <T extends string>(...values: T[]) =>
  fc.oneof(fc.constant(null), fc.constantFrom(...values), fc.string());
const anyRequest: fc.Arbitrary<DeliveryRequest> = fc.record({
  ifMatch: header(TAG, `W/${TAG}`, "*", '"x"'),
  ifUnmodifiedSince: header(LAST_MODIFIED, EARLIER),
  range: header("bytes=0-9", "bytes=5-", "bytes=-3", "bytes=2000-", "bytes=0-1,3-4"),
  ifNoneMatch: header(TAG, `W/${TAG}`, "*", '"x"'),
  ifModifiedSince: header(LAST_MODIFIED, EARLIER),
  ifRange: header(TAG, LAST_MODIFIED, '"x"'),
  wantReprDigest: header("sha-256=1", "sha-256=0"),
});
const noConditions = {
  ifMatch: null,
  ifUnmodifiedSince: null,
  ifNoneMatch: null,
  ifModifiedSince: null,
};
const anySize = fc.constantFrom(0, 1, 4, 1000);

test("a private file ignores conditions and sends no validators", () => {
  fc.assert(
    fc.property(anyRequest, anySize, (request, size) => {
      const file = { ...privateFile, size };
      const delivery = planDelivery(request, file, options);
      const bare = { ...request, ...noConditions };
      expect(delivery).toEqual(planDelivery(bare, file, options));
      if (request.ifRange !== null) expect(delivery.status).toBe(200);
      const names = Object.keys(delivery.headers).join();
      expect(names).not.toMatch(/etag|last-modified|access-control|cross-origin/i);
      expect(delivery.headers["Cache-Control"]).toBe("private, no-store");
    }),
  );
});

test("status, slice and lengths agree for any request", () => {
  const anyFile = fc.tuple(fc.constantFrom(publicFile, privateFile), anySize);
  fc.assert(
    fc.property(anyRequest, anyFile, (request, [file, size]) => {
      const { status, headers, slice } = planDelivery(request, { ...file, size }, options);
      expect(headers).toMatchObject(commonHeaders);
      expect(slice !== undefined).toBe(status === 206);
      const hasBody = status === 200 || status === 206;
      expect("Content-Type" in headers).toBe(hasBody);
      expect("Content-Disposition" in headers).toBe(hasBody);
      expect("Content-Range" in headers).toBe(status === 206 || status === 416);
      const length = slice === undefined ? size : slice.end - slice.start;
      expect(headers["Content-Length"]).toBe(hasBody ? String(length) : undefined);
      expect(() => new Response(null, { headers })).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});

test("the digest of the whole file comes with 200 and 206 only, for a private file if it is wanted", () => {
  const digest = parseSha256("0".repeat(64));
  const expected = `sha-256=:${Buffer.alloc(32).toString("base64")}:`;
  const anyFile = fc.tuple(fc.constantFrom(publicFile, privateFile), anySize, fc.boolean());
  fc.assert(
    fc.property(anyRequest, anyFile, (request, [file, size, isKnown]) => {
      const known = { ...file, size, sha256: isKnown ? digest : null };
      const { status, headers } = planDelivery(request, known, options);
      const isWanted = file.visibility === "public" || request.wantReprDigest === "sha-256=1";
      const isSent = isKnown && isWanted && (status === 200 || status === 206);
      expect(headers["Repr-Digest"]).toBe(isSent ? expected : undefined);
    }),
  );
});

test("plans do not share their headers", () => {
  const first = plan({});
  first.headers["X-Changed"] = "yes";
  expect(plan({}).headers["X-Changed"]).toBeUndefined();
});
