import { expect, test } from "bun:test";
import fc from "fast-check";
import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { ReadBytes } from "../../files/read.ts";
import { changeMetadata, parseMetadata } from "../../semantics/file-metadata.ts";
import { MAX_TEXT_BYTES, readTextPiece } from "./read-text-piece.ts";

const record: FileRecord = {
  id: "1",
  folderId: "0",
  name: parseName("a.txt"),
  key: parseKey("a.txt"),
  mimeType: "text/plain",
  size: 0,
  visibility: "private",
  blobId: blobId(1, 1),
  checksum: 0,
  sha256: null,
  metadata: null,
  s3: null,
  charset: "+",
  modifiedAt: 0,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: null,
};

const reading =
  (bytes: Uint8Array<ArrayBuffer>): ReadBytes =>
  (_, slice) => ({ body: new Blob([bytes.slice(slice?.start, slice?.end)]) });

const piece = (bytes: Uint8Array<ArrayBuffer>, start = 0, more: Partial<FileRecord> = {}) =>
  readTextPiece(reading(bytes), { ...record, size: bytes.length, ...more }, start);

async function whole(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  let text = "";
  for (let start: number | null = 0; start !== null; ) {
    const read = await piece(bytes, start);
    expect(read.start).toBe(start);
    text += read.text;
    start = read.nextStart;
  }
  return text;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function expectNoText(reading: Promise<unknown>): Promise<void> {
  const error = await reading.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Fault);
  expect(error).toMatchObject({ kind: "unprocessable" });
}

test("the pieces of any text are the text", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 4 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 3 }),
      async (parts, shift) => {
        // No text contains NUL.
        const unit = parts.join("").toWellFormed().replaceAll("\0", "x");
        const times = Math.ceil((1.1 * MAX_TEXT_BYTES) / Buffer.byteLength(unit));
        const text = "-".repeat(shift) + unit.repeat(times);
        expect(await whole(encode(text))).toBe(text);
      },
    ),
    { numRuns: 15 },
  ));

test("a start in the middle of a character is moved to the next one", async () => {
  const bytes = encode("a🌊b€");
  for (const [start, text, from] of [
    [0, "a🌊b€", 0],
    [1, "🌊b€", 1],
    [2, "b€", 5],
    [4, "b€", 5],
    [7, "", 9],
    [9, "", 9],
  ] as const) {
    expect(await piece(bytes, start)).toEqual({ text, start: from, nextStart: null });
  }
});

test("a start after the end is refused", async () => {
  const error = await piece(encode("abc"), 4).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ kind: "invalid", message: expect.stringContaining("3 bytes") });
  expect(await piece(encode(""), 0)).toEqual({ text: "", start: 0, nextStart: null });
});

test("a short text in another encoding is read, a long one is not", async () => {
  const latin = new Uint8Array(Buffer.from("Grüße aus Köln", "latin1"));
  expect((await piece(latin)).text).toBe("Grüße aus Köln");
  await expectNoText(piece(new Uint8Array(Buffer.from("Köln ".repeat(20_000), "latin1"))));
});

test("binary and compressed files are no texts", async () => {
  await expectNoText(piece(new Uint8Array([1, 0, 2])));
  await expectNoText(piece(new Uint8Array(100_000).fill(0x80)));
  await expectNoText(piece(new Uint8Array(100_000)));
  const metadata = changeMetadata(null, parseMetadata({ contentEncoding: "gzip" }));
  await expectNoText(piece(encode("abc"), 0, { metadata }));
});
