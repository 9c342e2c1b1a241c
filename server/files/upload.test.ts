import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { blobPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { usualLimits } from "../http/multipart/limits.ts";
import { readMultipart } from "../http/multipart/read-multipart.ts";
import { readText } from "../http/multipart/read-text.ts";
import { blobId } from "../rules/blob-id.ts";
import { Fault, type FaultKind } from "../rules/fault.ts";
import { parseKey } from "../rules/name.ts";
import type { FileRecord } from "../rules/records.ts";
import { type Bed, openBed, until } from "./bed.fixture.ts";
import type { BlobDesk } from "./blob-desk.ts";
import { createSpaceGuard } from "./space.ts";
import { createUpload, type Upload, type UploadPart } from "./upload.ts";

const MAX_SIZE = 300_000;
const MAX_FILES = 4;

let bed: Bed;
let desk: BlobDesk;
let upload: Upload;
beforeEach(async () => {
  bed = await openBed();
  desk = bed.createDesk();
  upload = openUpload();
});
afterEach(async () => {
  await desk.close();
  await bed.end();
});

const openUpload = (reserve = 0): Upload =>
  createUpload({
    names: bed.catalog,
    blobs: bed.blobs,
    desk,
    space: createSpaceGuard(bed.blobs, reserve),
    readText: (part) => readText(part, 1000),
    defaultVisibility: "public",
    maxUploadSize: MAX_SIZE,
    maxFilesPerRequest: MAX_FILES,
  });

/** A field, or a file with its name and content. */
type Entry = readonly [field: string, value: string] | readonly [string, string, BlobPart];

const file = (name: string, content: BlobPart = "content"): Entry => ["files", name, content];

async function bodyOf(entries: readonly Entry[]): Promise<{ bytes: Uint8Array; type: string }> {
  const form = new FormData();
  for (const [field, value, content] of entries) {
    if (content === undefined) form.append(field, value);
    else form.append(field, new Blob([content]), value);
  }
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { bytes: new Uint8Array(await response.arrayBuffer()), type };
}

async function* piecesOf(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  // Copies, since the parser takes its chunks over.
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** The form as a request brings it; `cut` leaves out so many bytes of its end. */
async function* formOf(entries: readonly Entry[], cut = 0): AsyncGenerator<UploadPart> {
  const { bytes, type } = await bodyOf(entries);
  const body = piecesOf(bytes.subarray(0, bytes.length - cut));
  yield* readMultipart(body, type, usualLimits(20));
}

const send = (...entries: readonly Entry[]): Promise<FileRecord[]> => upload(formOf(entries), 0);

const textOf = async ({ blobId, size }: FileRecord): Promise<string | undefined> => {
  const body = await bed.blobs.read(blobId, size);
  return body === undefined ? undefined : new Response(body).text();
};

const keyOf = async (path: string): Promise<FileRecord | undefined> =>
  bed.catalog.fileByKey(parseKey(path));

async function keys(): Promise<string[]> {
  const page = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;
  const batches = await Array.fromAsync(bed.catalog.listFiles({}, page));
  return batches.flat().map(({ key }) => key);
}

/** Refused with this fault; nothing is left of it, and the next upload goes well. */
async function expectRefusal(
  work: () => Promise<unknown>,
  kind: FaultKind,
  says: string,
): Promise<void> {
  const [before, stored] = [await keys(), await bed.stored()];
  const outcome = await work().then(
    () => "no refusal",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Fault);
  expect(outcome).toMatchObject({ kind, message: expect.stringContaining(says) });
  expect(await keys()).toEqual(before);
  expect(await bed.stored()).toEqual(stored);
  await expectNoTrouble();
}

/** Every id was settled: the blocks can be given back without a sweep, and the desk goes on. */
async function expectNoTrouble(): Promise<void> {
  const stored = await bed.stored();
  await desk.close();
  expect(bed.leases()).toEqual([]);
  expect(bed.errors).toEqual([]);
  expect(await bed.stored()).toEqual(stored);
  desk = bed.createDesk();
  upload = openUpload();
  await send(["folder", "after"], file(`${crypto.randomUUID()}.txt`));
}

describe("an upload", () => {
  test("stores what was sent, with its size, checksum and type", async () => {
    const content = "x".repeat(200_000);
    const added = await send(file("a.txt", content), file("b", ""), file("ü.PNG", "png"));
    expect(added.map(({ key, size, checksum }) => `${key} ${size} ${checksum}`)).toEqual([
      `a.txt 200000 ${crc32(content)}`,
      "b 0 0",
      `ü.PNG 3 ${crc32("png")}`,
    ]);
    expect(added.map(({ mimeType }) => mimeType)).toEqual([
      "text/plain",
      "application/octet-stream",
      "image/png",
    ]);
    expect(added.map(({ visibility }) => visibility)).toEqual(["public", "public", "public"]);
    expect(await Promise.all(added.map(textOf))).toEqual([content, "", "png"]);
    expect(await keyOf("a.txt")).toEqual(added[0]);
    await expectNoTrouble();
  });

  test.each([
    ["before", [["folder", "/x//y/"], ["visibility", "private"], file("a")]],
    ["between", [file("a"), ["folder", "x/y"], ["visibility", "private"]]],
  ] as [string, Entry[]][])("takes its fields %s the files", async (_, entries) => {
    const [added] = await send(...entries, ["unknown", "field"]);
    expect(added).toMatchObject({ key: "x/y/a", visibility: "private" });
  });

  test("passes over file inputs that were left empty", async () => {
    expect(await send(["files", "", ""], file("a"), ["other", "", ""])).toHaveLength(1);
  });

  test("takes as many files, and as large ones, as are allowed", async () => {
    const names = ["a", "b", "c", "d"];
    const added = await send(...names.map((name) => file(name, "x".repeat(MAX_SIZE))));
    expect(added.map(({ size }) => size)).toEqual(names.map(() => MAX_SIZE));
  });

  test("stores any bytes, however they come in pieces", async () => {
    const anyContents = fc.array(fc.uint8Array({ maxLength: 2000 }), {
      minLength: 1,
      maxLength: MAX_FILES,
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(anyContents, fc.integer({ min: 1, max: 700 }), async (contents, size) => {
        run += 1;
        const entries = contents.map((content, n) => file(`${run} ${n}`, new Uint8Array(content)));
        const { bytes, type } = await bodyOf(entries);
        const form = readMultipart(piecesOf(bytes, size), type, usualLimits(20));
        const added = await upload(form, bytes.length);
        for (const [n, record] of added.entries()) {
          const content = contents[n] ?? new Uint8Array();
          expect(record).toMatchObject({ size: content.length, checksum: crc32(content) });
          const body = await bed.blobs.read(record.blobId, record.size);
          expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(content);
        }
        expect(added).toHaveLength(contents.length);
      }),
      { numRuns: 20 },
    );
  });

  test("of many at once keeps each to itself", async () => {
    const requests = Array.from({ length: 60 }, (_, n) =>
      send(["folder", `f${n % 3}`], file(`${n}`, `${n} `.repeat(1000)), file(`${n}b`)),
    );
    for (const [n, added] of (await Promise.all(requests)).entries()) {
      expect(added.map(({ key }) => `${key}`)).toEqual([`f${n % 3}/${n}`, `f${n % 3}/${n}b`]);
      expect(added[0] && (await textOf(added[0]))).toBe(`${n} `.repeat(1000));
    }
    await expectNoTrouble();
  });

  test("of one name by 10 at once has one winner", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(file("same", `${n}`)).then(
          ([added]) => added,
          (error: unknown) => error,
        ),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome instanceof Fault);
    expect(refused.map(({ kind }) => kind)).toEqual(Array(9).fill("conflict"));
    expect(await bed.stored()).toHaveLength(1);
    await expectNoTrouble();
  });
});

describe("refused, with nothing left of it:", () => {
  const rows: readonly [string, Entry[], FaultKind, string][] = [
    ["no part at all", [], "invalid", "no file"],
    ["only fields", [["folder", "x"]], "invalid", "no file"],
    ["only an empty input", [["files", "", ""]], "invalid", "no file"],
    ["bytes without a name", [file("a"), ["files", "", "bytes"]], "invalid", "without a file name"],
    ["another field", [file("a"), ["file", "b", "x"]], "invalid", "came under `file`"],
    ["`files` as text", [file("a"), ["files", "text"]], "invalid", "not a text field"],
    ["a name that is none", [file("a"), file("..")], "invalid", "must not be `.` or `..`"],
    ["a path as name", [file("a"), file("x/b")], "invalid", "single path segment"],
    ["a name twice", [file("a"), file("b"), file("a")], "conflict", '"a" is given twice'],
    ["a name twice after NFC", [file("é"), file("e\u0301")], "conflict", "given twice"],
    ["a visibility that is none", [file("a"), ["visibility", "x"]], "invalid", "`visibility`"],
    [
      "a visibility twice",
      [["visibility", "public"], file("a"), ["visibility", "public"]],
      "invalid",
      "`visibility` is given twice",
    ],
    ["a folder twice", [["folder", ""], file("a"), ["folder", ""]], "invalid", "`folder` is given"],
    ["a folder that is none", [file("a"), ["folder", "x/../y"]], "invalid", "A name"],
    ["a long field", [file("a"), ["folder", "x".repeat(1001)]], "too_large", "`folder`"],
    ["a deep folder", [["folder", "a/".repeat(128)], file("a")], "invalid", "128 segments"],
    ["a deep folder after", [file("a"), ["folder", "a/".repeat(128)]], "invalid", "128 segments"],
    [
      "a large file",
      [file("a"), file("b", "x".repeat(MAX_SIZE + 1))],
      "too_large",
      '"b" is larger',
    ],
    ["too many", ["a", "b", "c", "d", "e"].map((name) => file(name)), "too_large", "at most 4"],
    ["a taken name", [file("a"), file("taken")], "conflict", "taken"],
    ["a taken name in its folder", [["folder", "in"], file("taken")], "conflict", "taken"],
    [
      "a taken name, folder after",
      [file("a"), file("taken"), ["folder", "in"]],
      "conflict",
      "taken",
    ],
    ["a folder's name", [file("a"), file("in")], "conflict", "in"],
    ["a folder that is a file", [["folder", "taken/x"], file("a")], "conflict", "taken"],
  ];

  test.each(rows)("%s", async (_, entries, kind, says) => {
    await send(file("taken"));
    await send(["folder", "in"], file("taken"));
    await expectRefusal(() => send(...entries), kind, says);
  });

  test("a form that is cut short, wherever", async () => {
    const entries = [file("a", "x".repeat(100_000)), ["folder", "new"] as const, file("b", "yyy")];
    const { bytes } = await bodyOf(entries);
    for (const cut of [1, 10, 60, 120, 250, 400, 50_000, bytes.length - 1]) {
      await expectRefusal(() => upload(formOf(entries, cut), bytes.length), "invalid", "");
    }
    expect(await bed.catalog.folderByKey(parseKey("new"))).toBeUndefined();
  });

  test("a volume that is too full", async () => {
    const free = (await bed.blobs.freeSpace()) ?? 0;
    upload = openUpload(free * 2);
    await expectRefusal(() => send(file("a")), "no_space", "free space");
    await expectRefusal(() => upload(formOf([file("a")]), 2 ** 60), "no_space", "free space");
  });
});

test("a client that goes midway leaves nothing", async () => {
  const gone = new Error("gone");
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(100_000);
    throw gone;
  }
  async function* form(): AsyncGenerator<UploadPart> {
    const part = { name: "files", type: undefined };
    yield { ...part, filename: "first", body: piecesOf(new Uint8Array(10)) };
    yield { ...part, filename: "second", body: body() };
  }
  const outcome = await upload(form(), 0).catch((error: unknown) => error);
  expect(outcome).toBe(gone);
  expect(await bed.stored()).toEqual([]);
  await expectNoTrouble();
});

test("an upload that its lease outlived is refused, swept, and goes well when tried again", async () => {
  async function* slow(): AsyncGenerator<UploadPart> {
    yield* formOf([file("a")]);
    bed.age(LEASE_SECONDS + 1);
    await bed.catalog.lapsedBlocks();
  }
  const outcome = await upload(slow(), 0).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(async () => (await bed.stored()).length === 0 && bed.leases().length === 0);
  const [added] = await send(file("a"));
  expect(added && (await textOf(added))).toBe("content");
  expect(bed.errors).toEqual([]);
});

test("a catalog that is gone leaves the blob to the next start", async () => {
  async function* late(): AsyncGenerator<UploadPart> {
    yield* formOf([file("a")]);
    await bed.catalog.close();
  }
  const outcome = await upload(late(), 0).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(() => bed.errors.length === 1);
  expect(bed.leases()).toHaveLength(1);
});

test("a store that refuses one file of several keeps none of them", async () => {
  await send(file("first"));
  const [{ block } = { block: -1 }] = bed.leases();
  // The third blob of the block is there already.
  mkdirSync(blobPath(bed.blobFolder, blobId(block, 2)));
  const outcome = await send(file("a"), file("b"), file("c")).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await keys()).toEqual(["first"]);
  expect(await bed.stored()).toEqual([blobId(block, 0), blobId(block, 2)]);
  const [added] = await send(file("a"));
  expect(added && (await textOf(added))).toBe("content");
});
