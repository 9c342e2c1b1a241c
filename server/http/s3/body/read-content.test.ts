import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { Sha256 } from "../../../domain/records.ts";
import { type BodyFormat, UNSIGNED_BODY } from "../../../semantics/s3-signature/body-format.ts";
import { createChunkSigner } from "../../../semantics/s3-signature/chunk-signer.ts";
import { sha256Hex, signingKey } from "../../../semantics/s3-signature/signing.ts";
import { frameChunks, inPieces } from "./chunked-body.fixture.ts";
import { type ContentOptions, readContent } from "./read-content.ts";

const SCOPE = { date: "20130524", region: "us-east-1", timestamp: "20130524T000000Z" };
const KEY = signingKey("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", SCOPE);
const SEED = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
const signer = (seed = SEED) => createChunkSigner(KEY, SCOPE, seed);

const unsigned: BodyFormat = { kind: "chunked", sign: undefined, trailer: true };
const signed = (trailer = false, seed = SEED): BodyFormat => ({
  kind: "chunked",
  sign: signer(seed),
  trailer,
});

const crcOf = (bytes: Uint8Array): string => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(crc32(bytes));
  return buffer.toString("base64");
};
const md5Of = (bytes: Uint8Array) => createHash("md5").update(bytes);

interface Body {
  readonly bytes: Uint8Array;
  readonly format: BodyFormat;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces?: readonly number[];
  readonly options?: ContentOptions;
}

async function read({ bytes, format, headers = {}, pieces = [7], options }: Body) {
  const content = readContent(inPieces(bytes, pieces), new Headers(headers), format, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.chunks) chunks.push(chunk.slice());
  return { content: Buffer.concat(chunks), ...content.result() };
}

async function codeOf(body: Body): Promise<string | undefined> {
  try {
    await read(body);
    return undefined;
  } catch (error) {
    return error instanceof S3Fault ? error.s3Code : String(error);
  }
}

const sized = (size: number, more: Readonly<Record<string, string>> = {}) => ({
  "x-amz-decoded-content-length": String(size),
  ...more,
});

describe("a plain body", () => {
  const bytes = Buffer.from("the content");
  const plain = { bytes, format: UNSIGNED_BODY };
  const length = { "content-length": String(bytes.length) };

  test("is its content", async () => {
    expect(await read({ ...plain, headers: length })).toEqual({
      content: bytes,
      size: bytes.length,
      checksums: {},
      md5: md5Of(bytes).digest("hex"),
    });
  });

  test("has the checksums of its headers, and one to compute", async () => {
    const headers = { ...length, "x-amz-checksum-crc32": crcOf(bytes) };
    const options = { compute: "SHA256" } as const;
    expect((await read({ ...plain, headers, options })).checksums).toEqual({
      CRC32: crcOf(bytes),
      SHA256: createHash("sha256").update(bytes).digest("base64"),
    });
  });

  test("may have no length if it is sent in chunks of HTTP", async () => {
    const { size } = await read({ ...plain, headers: { "transfer-encoding": "chunked" } });
    expect(size).toBe(bytes.length);
  });

  test.each([
    [{}, "MissingContentLength"],
    [{ "content-length": "-1" }, "InvalidArgument"],
    [{ "content-length": "10" }, "IncompleteBody"],
    [{ "content-length": "12" }, "IncompleteBody"],
    [{ ...length, "content-md5": "x" }, "InvalidDigest"],
    [{ ...length, "content-md5": "" }, "InvalidDigest"],
    [{ ...length, "content-md5": md5Of(Buffer.from("x")).digest("base64") }, "BadDigest"],
    [{ ...length, "x-amz-checksum-crc32": "AAAAAA==" }, "BadDigest"],
    [{ ...length, "x-amz-checksum-crc32": "AAAA" }, "InvalidRequest"],
    [{ ...length, "x-amz-checksum-xxh3": "AAAA" }, "InvalidRequest"],
    [{ ...length, "x-amz-trailer": "x-amz-checksum-crc32" }, "InvalidRequest"],
    [{ ...length, "x-amz-sdk-checksum-algorithm": "CRC32" }, "InvalidRequest"],
    [{ ...length, "x-amz-sdk-checksum-algorithm": "MD5" }, "InvalidRequest"],
    [
      {
        ...length,
        "x-amz-sdk-checksum-algorithm": "SHA1",
        "x-amz-checksum-crc32": crcOf(bytes),
      },
      "InvalidRequest",
    ],
  ] as const)("with %j is refused", async (headers, code) => {
    expect(await codeOf({ ...plain, headers })).toBe(code);
  });

  test("must have the hash that is signed", async () => {
    const format = (hash: string): BodyFormat => ({ kind: "plain", sha256: hash as Sha256 });
    const headers = length;
    expect(await codeOf({ bytes, headers, format: format(sha256Hex(bytes)) })).toBeUndefined();
    expect(await codeOf({ bytes, headers, format: format(sha256Hex("")) })).toBe(
      "XAmzContentSHA256Mismatch",
    );
  });

  test("with the checksum of nothing is refused with advice", async () => {
    const headers = { ...length, "x-amz-checksum-crc32": "AAAAAA==" };
    await expect(read({ ...plain, headers })).rejects.toThrow("WHEN_REQUIRED");
  });

  test("may complete an object with another checksum", async () => {
    const headers = { ...length, "x-amz-checksum-crc32": "AAAAAA==" };
    expect(await codeOf({ ...plain, headers, options: { checksumOf: "object" } })).toBeUndefined();
  });
});

describe("signed chunks", () => {
  const chunks = [Buffer.alloc(65_536, "a"), Buffer.alloc(1024, "a")];
  const headers = sized(66_560);

  test("are AWS's example", async () => {
    const sign = signer();
    const hashes = [...chunks, Buffer.alloc(0)].map((chunk) => sha256Hex(chunk));
    expect(hashes.map((hash) => sign.next(hash))).toEqual([
      "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
      "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
      "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
    ]);
    const bytes = frameChunks(chunks, { sign: signer() });
    expect(bytes.length).toBe(66_824);
    const body = { bytes, headers, format: signed(), pieces: [16_384] };
    expect((await read(body)).content).toEqual(Buffer.concat(chunks));
  });

  const seed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";
  const trailer = { "x-amz-checksum-crc32c": "sOO8/Q==" };
  const announced = { ...headers, "x-amz-trailer": "x-amz-checksum-crc32c" };

  test("with a trailer are AWS's example", async () => {
    const bytes = frameChunks(chunks, { sign: signer(seed), trailers: trailer });
    expect(bytes.toString("latin1")).toEndWith(
      "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\nx-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n",
    );
    const body = { bytes, headers: announced, format: signed(true, seed), pieces: [8000] };
    expect((await read(body)).checksums).toEqual({ CRC32C: "sOO8/Q==" });
  });

  test("may have an empty line before the signature of the trailers, as from minio-go", async () => {
    const text = frameChunks(chunks, { sign: signer(seed), trailers: trailer }).toString("latin1");
    const bytes = Buffer.from(text.replace("sOO8/Q==\r\n", "sOO8/Q==\n\r\n"), "latin1");
    const body = { bytes, headers: announced, format: signed(true, seed), pieces: [8000] };
    expect((await read(body)).checksums).toEqual({ CRC32C: "sOO8/Q==" });
  });

  test("are refused if any byte was changed", async () => {
    const small = [Buffer.from("abc"), Buffer.from("defg")];
    const checksum = { "x-amz-checksum-crc32": crcOf(Buffer.concat(small)) };
    const bytes = frameChunks(small, { sign: signer(), trailers: checksum });
    const body = {
      headers: sized(7, { "x-amz-trailer": "x-amz-checksum-crc32" }),
      pieces: [bytes.length],
    };
    expect(await codeOf({ ...body, bytes, format: signed(true) })).toBeUndefined();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const code = await codeOf({ ...body, bytes: changed, format: signed(true) });
      expect([at, code]).not.toEqual([at, undefined]);
    }
  });

  test("are refused if they are moved, left out or repeated", async () => {
    const parts = frameChunks([Buffer.from("abc"), Buffer.from("def")], { sign: signer() })
      .toString("latin1")
      .split(/(?<=(?:abc|def)\r\n)/);
    const [first = "", second = "", last = ""] = parts;
    for (const order of [[second, first, last], [first, first, last], [first, last], [last]]) {
      const bytes = Buffer.from(order.join(""), "latin1");
      const code = await codeOf({ bytes, headers: sized(6), format: signed() });
      expect(["SignatureDoesNotMatch", "IncompleteBody"]).toContain(code ?? "");
    }
  });
});

describe("unsigned chunks with a trailer", () => {
  const content = Buffer.from("abcdefg");
  const announced = sized(7, { "x-amz-trailer": "x-amz-checksum-crc32" });
  const checksum = crcOf(content);
  const body = (text: string, headers: Readonly<Record<string, string>> = announced): Body => ({
    bytes: Buffer.from(text, "latin1"),
    headers,
    format: unsigned,
  });
  const END = `0\r\nx-amz-checksum-crc32:${checksum}\r\n\r\n`;

  test("are read, however they are divided and arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1 })),
        fc.array(fc.nat(50), { minLength: 1 }).filter((lengths) => lengths.some(Boolean)),
        fc.boolean(),
        async (chunks, pieces, isSigned) => {
          const all = Buffer.concat(chunks);
          const bytes = frameChunks(chunks, {
            sign: isSigned ? signer() : undefined,
            trailers: { "x-amz-checksum-crc32": crcOf(all) },
          });
          const headers = sized(all.length, { "x-amz-trailer": "x-amz-checksum-crc32" });
          const format = isSigned ? signed(true) : unsigned;
          const result = await read({ bytes, headers, format, pieces });
          expect(result.content).toEqual(all);
          expect(result.checksums).toEqual({ CRC32: crcOf(all) });
          expect(result.md5).toBe(md5Of(all).digest("hex"));
        },
      ),
    );
  });

  test.each([
    ["", "IncompleteBody"],
    ["7\r\nabcdefg\r\n", "IncompleteBody"],
    ["7\r\nabcdef", "IncompleteBody"],
    ["7\nabcdefg\r\n", "InvalidRequest"],
    [`8\r\nabcdefg\r\n${END}`, "IncompleteBody"],
    [`6\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`7 \r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`0x7\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`-7\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`fffffffffffff\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`ffffffffffff\r\nabcdefgh\r\n${END}`, "IncompleteBody"],
    [`${"0".repeat(200)}7\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`7;x=y\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`7;chunk-signature=${"0".repeat(64)}\r\nabcdefg\r\n${END}`, "InvalidRequest"],
    [`7\r\nabcdefg\r\n${END}x`, "InvalidRequest"],
    ["7\r\nabcdefg\r\n0\r\n\r\n", "MalformedTrailerError"],
    ["7\r\nabcdefg\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n", "BadDigest"],
    ["7\r\nabcdefg\r\n0\r\nx-amz-checksum-crc32:AA\r\n\r\n", "InvalidRequest"],
    ["7\r\nabcdefg\r\n0\r\nx-amz-checksum-sha1:AA\r\n\r\n", "MalformedTrailerError"],
    ["7\r\nabcdefg\r\n0\r\nno trailer\r\n\r\n", "MalformedTrailerError"],
    [`7\r\nabcdefg\r\n${END.slice(0, -2)}x-amz-acl:public-read\r\n\r\n`, "MalformedTrailerError"],
    [`7\r\nabcdefg\r\n0\r\n${"a:b\r\n".repeat(17)}\r\n`, "MalformedTrailerError"],
    [`7\r\nabcdefg\r\n0\r\na:${"b".repeat(2000)}\r\n\r\n`, "MalformedTrailerError"],
    [`7\r\nabcdefg\r\n${END.slice(0, -2)}`, "IncompleteBody"],
  ])("%j is refused", async (text, code) => {
    expect(await codeOf(body(text))).toBe(code);
  });

  test.each([
    [sized(6, { "x-amz-trailer": "x-amz-checksum-crc32" }), "IncompleteBody"],
    [sized(8, { "x-amz-trailer": "x-amz-checksum-crc32" }), "IncompleteBody"],
    [sized(7), "MalformedTrailerError"],
    [sized(7, { "x-amz-trailer": "x-amz-checksum-md5" }), "InvalidRequest"],
    [sized(7, { "x-amz-trailer": "expires" }), "InvalidRequest"],
    [{ ...announced, "x-amz-checksum-crc32": checksum }, "InvalidRequest"],
    [{ "x-amz-trailer": "x-amz-checksum-crc32" }, "MissingContentLength"],
    [{ ...announced, "x-amz-decoded-content-length": "7a" }, "InvalidArgument"],
  ] as const)("with %j are refused", async (headers, code) => {
    expect(await codeOf(body(`7\r\nabcdefg\r\n${END}`, headers))).toBe(code);
  });

  test("without a trailer are read if none is announced", async () => {
    expect((await read(body("7\r\nabcdefg\r\n0\r\n\r\n", sized(7)))).content).toEqual(content);
  });

  test("are never read as other content than was framed", async () => {
    const valid = `3\r\nabc\r\n4\r\ndefg\r\n${END}`;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(valid.length),
        fc.nat(3),
        fc.string({
          unit: fc.constantFrom("0", "7", "a", ";", ":", "\r", "\n", "g"),
          maxLength: 4,
        }),
        async (at, remove, insert) => {
          const text = valid.slice(0, at) + insert + valid.slice(at + remove);
          const result = await read(body(text)).catch((error) => {
            expect(error).toBeInstanceOf(S3Fault);
            return undefined;
          });
          if (result !== undefined) expect(result.content).toEqual(content);
        },
      ),
    );
  });
});
