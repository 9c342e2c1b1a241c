import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { blobId } from "../rules/blob-id.ts";
import { Fault, type FaultKind } from "../rules/fault.ts";
import { parseKey } from "../rules/name.ts";
import {
  bodyOf,
  type Entry,
  file,
  formOf,
  MAX_SIZE,
  openUploadBed,
  type UploadBed,
} from "./upload-bed.fixture.ts";

let on: UploadBed;
beforeEach(async () => {
  on = await openUploadBed();
});
afterEach(() => on.end());

/** Refused with this fault; nothing is left of it, and the next upload goes well. */
async function expectRefusal(
  work: () => Promise<unknown>,
  kind: FaultKind,
  says: string,
): Promise<void> {
  const [before, stored] = [await on.keys(), await on.bed.stored()];
  const outcome = await work().then(
    () => "no refusal",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Fault);
  expect(outcome).toMatchObject({ kind, message: expect.stringContaining(says) });
  expect(await on.keys()).toEqual(before);
  expect(await on.bed.stored()).toEqual(stored);
  await on.expectNoTrouble();
}

test("the block of what was refused is swept before it is given back", async () => {
  await expect(on.send(file("a"), ["folder", ".."])).rejects.toBeInstanceOf(Fault);
  const [block = -1] = on.bed.leases().map((lease) => lease.block);
  // As if a power cut had brought the bytes back.
  await on.bed.store(blobId(block, 0));
  await on.close();
  expect(await on.bed.stored()).toEqual([]);
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
    await on.send(file("taken"));
    await on.send(["folder", "in"], file("taken"));
    await expectRefusal(() => on.send(...entries), kind, says);
  });

  test("a form that is cut short, wherever", async () => {
    const entries = [file("a", "x".repeat(100_000)), ["folder", "new"] as const, file("b", "yyy")];
    const { bytes } = await bodyOf(entries);
    for (const cut of [1, 10, 60, 120, 250, 400, 50_000, bytes.length - 1]) {
      await expectRefusal(() => on.upload(formOf(entries, cut), bytes.length), "invalid", "");
    }
    expect(await on.bed.catalog.folderByKey(parseKey("new"))).toBeUndefined();
  });

  test("a volume that is too full", async () => {
    const free = (await on.bed.blobs.freeSpace()) ?? 0;
    const upload = on.openUpload(free * 2);
    await expectRefusal(() => upload(formOf([file("a")]), 0), "no_space", "free space");
    await expectRefusal(() => on.upload(formOf([file("a")]), 2 ** 60), "no_space", "free space");
  });
});
