import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { blobId } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import { parseKey } from "../../domain/names/name.ts";
import {
  MAX_FILES,
  MAX_SIZE,
  openUploadFixture,
  type UploadFixture,
} from "../../files/upload/upload.fixture.ts";
import { bodyOf, type Entry, file, formOf, sendForm } from "./upload-form.fixture.ts";

let uploads: UploadFixture;
beforeEach(async () => {
  uploads = await openUploadFixture();
});
afterEach(() => uploads.end());

const send = (...entries: readonly Entry[]) => sendForm(uploads, formOf(entries));

/** Expects this fault, that nothing is left of the request, and that the next upload succeeds. */
async function expectRefusal(
  work: () => Promise<unknown>,
  kind: FaultKind,
  says: string,
): Promise<void> {
  const [before, stored] = [await uploads.keys(), await uploads.fixture.stored()];
  const outcome = await work().then(
    () => "no refusal",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Fault);
  expect(outcome).toMatchObject({ kind, message: expect.stringContaining(says) });
  expect(await uploads.keys()).toEqual(before);
  expect(await uploads.fixture.stored()).toEqual(stored);
  await uploads.expectNoLeaks();
}

test.each([
  ["before", [["folder", "/x//y/"], ["visibility", "private"], file("a")]],
  ["after", [file("a"), ["folder", "x/y"], ["visibility", "private"]]],
] as [string, Entry[]][])("accepts the fields %s the files", async (_, entries) => {
  const [added] = await send(...entries, ["unknown", "field"]);
  expect(added).toMatchObject({ key: "x/y/a", visibility: "private" });
});

test("ignores file inputs that were left empty", async () => {
  expect(await send(["files", "", ""], file("a"), ["other", "", ""])).toHaveLength(1);
});

test("stores any bytes, however the body is split into chunks", async () => {
  const anyContents = fc.array(fc.uint8Array({ maxLength: 2000 }), {
    minLength: 1,
    maxLength: MAX_FILES,
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyContents, fc.integer({ min: 1, max: 700 }), async (contents, chunkSize) => {
      run += 1;
      const entries = contents.map((content, n) => file(`${run} ${n}`, new Uint8Array(content)));
      const { bytes } = await bodyOf(entries);
      const added = await sendForm(uploads, formOf(entries, { chunkSize }), bytes.length);
      for (const [n, record] of added.entries()) {
        const content = contents[n] ?? new Uint8Array();
        expect(record).toMatchObject({ size: content.length, checksum: crc32(content) });
        const body = await uploads.fixture.blobs.read(record.blobId, record.size);
        expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(content);
      }
      expect(added).toHaveLength(contents.length);
    }),
    { numRuns: 20 },
  );
});

test("the block of a refused upload is swept before its lease ends", async () => {
  await expect(send(file("a"), ["folder", ".."])).rejects.toBeInstanceOf(Fault);
  const [block = -1] = uploads.fixture.leases().map((lease) => lease.block);
  // As if a power cut had brought the bytes back.
  await uploads.fixture.store(blobId(block, 0));
  await uploads.close();
  expect(await uploads.fixture.stored()).toEqual([]);
});

describe("refuses, and keeps nothing of,", () => {
  const rows: readonly [string, Entry[], FaultKind, string][] = [
    ["a form without parts", [], "invalid", "no file"],
    ["a form with fields only", [["folder", "x"]], "invalid", "no file"],
    ["a form with an empty input only", [["files", "", ""]], "invalid", "no file"],
    [
      "bytes without a file name",
      [file("a"), ["files", "", "bytes"]],
      "invalid",
      "without a file name",
    ],
    ["a file under another field", [file("a"), ["file", "b", "x"]], "invalid", "came under `file`"],
    ["`files` as a text field", [file("a"), ["files", "text"]], "invalid", "not a text field"],
    ["an impossible name", [file("a"), file("..")], "invalid", "must not be `.` or `..`"],
    ["a path as name", [file("a"), file("x/b")], "invalid", "single path segment"],
    ["a repeated name", [file("a"), file("b"), file("a")], "conflict", '"a" is given twice'],
    ["a name repeated after NFC", [file("é"), file("e\u0301")], "conflict", "given twice"],
    ["an unknown visibility", [file("a"), ["visibility", "x"]], "invalid", "`visibility`"],
    ["a misspelt field", [["visiblity", "private"], file("a")], "invalid", "mean `visibility`?"],
    ["a field in snake case", [file("a"), ["on_conflict", "x"]], "invalid", "mean `onConflict`?"],
    ["a field in capitals", [file("a"), ["FOLDER", "x"]], "invalid", "mean `folder`?"],
    [
      "a repeated visibility",
      [["visibility", "public"], file("a"), ["visibility", "public"]],
      "invalid",
      "`visibility` is given twice",
    ],
    ["a repeated folder", [["folder", ""], file("a"), ["folder", ""]], "invalid", "`folder` is"],
    ["an impossible folder", [file("a"), ["folder", "x/../y"]], "invalid", "A name"],
    ["a long field", [file("a"), ["folder", "x".repeat(65_537)]], "too_large", "`folder`"],
    ["a deep folder", [["folder", "a/".repeat(128)], file("a")], "invalid", "128 segments"],
    [
      "a deep folder after the file",
      [file("a"), ["folder", "a/".repeat(128)]],
      "invalid",
      "128 segments",
    ],
    [
      "a large file",
      [file("a"), file("b", "x".repeat(MAX_SIZE + 1))],
      "too_large",
      '"b" is larger',
    ],
    [
      "too many files",
      ["a", "b", "c", "d", "e"].map((name) => file(name)),
      "too_large",
      "at most 4",
    ],
    ["a taken name", [file("a"), file("taken")], "conflict", "taken"],
    ["a taken name in a folder", [["folder", "in"], file("taken")], "conflict", "taken"],
    [
      "a taken name, the folder after it",
      [file("a"), file("taken"), ["folder", "in"]],
      "conflict",
      "taken",
    ],
    ["a folder's name", [file("a"), file("in")], "conflict", "in"],
    ["a folder that is a file", [["folder", "taken/x"], file("a")], "conflict", "taken"],
    [
      "`onConflict` after a file",
      [file("a"), ["onConflict", "skip"]],
      "invalid",
      "before the files",
    ],
    ["an unknown `onConflict`", [["onConflict", "x"], file("a")], "invalid", "`onConflict`"],
  ];

  test.each(rows)("%s", async (_, entries, kind, says) => {
    await send(file("taken"));
    await send(["folder", "in"], file("taken"));
    await expectRefusal(() => send(...entries), kind, says);
  });

  test("a form that is cut short anywhere", async () => {
    const entries = [file("a", "x".repeat(100_000)), ["folder", "new"] as const, file("b", "yyy")];
    const { bytes } = await bodyOf(entries);
    for (const cut of [1, 10, 60, 120, 250, 400, 50_000, bytes.length - 1]) {
      await expectRefusal(
        () => sendForm(uploads, formOf(entries, { cut }), bytes.length),
        "invalid",
        "",
      );
    }
    expect(
      await uploads.fixture.catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("new")),
    ).toBeUndefined();
  });

  test("a file that does not fit on the volume", async () => {
    const free = (await uploads.fixture.blobs.freeSpace()) ?? 0;
    const full = { beginUpload: uploads.openUpload(free * 2) };
    await expectRefusal(() => sendForm(full, formOf([file("a")])), "no_space", "free space");
    await expectRefusal(
      () => sendForm(uploads, formOf([file("a")]), 2 ** 60),
      "no_space",
      "free space",
    );
  });
});
