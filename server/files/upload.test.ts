import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { usualLimits } from "../http/multipart/limits.ts";
import { readMultipart } from "../http/multipart/read-multipart.ts";
import { Fault } from "../rules/fault.ts";
import { parseKey } from "../rules/name.ts";
import {
  bodyOf,
  type Entry,
  file,
  MAX_FILES,
  MAX_SIZE,
  openUploadBed,
  piecesOf,
  type UploadBed,
} from "./upload-bed.fixture.ts";

let on: UploadBed;
beforeEach(async () => {
  on = await openUploadBed();
});
afterEach(() => on.end());

describe("an upload", () => {
  test("stores what was sent, with its size, checksum and type", async () => {
    const content = "x".repeat(200_000);
    const added = await on.send(file("a.txt", content), file("b", ""), file("ü.PNG", "png"));
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
    expect(await Promise.all(added.map(on.textOf))).toEqual([content, "", "png"]);
    expect(await on.bed.catalog.fileByKey(parseKey("a.txt"))).toEqual(added[0]);
    await on.expectNoTrouble();
  });

  test.each([
    ["before", [["folder", "/x//y/"], ["visibility", "private"], file("a")]],
    ["between", [file("a"), ["folder", "x/y"], ["visibility", "private"]]],
  ] as [string, Entry[]][])("takes its fields %s the files", async (_, entries) => {
    const [added] = await on.send(...entries, ["unknown", "field"]);
    expect(added).toMatchObject({ key: "x/y/a", visibility: "private" });
  });

  test("passes over file inputs that were left empty", async () => {
    expect(await on.send(["files", "", ""], file("a"), ["other", "", ""])).toHaveLength(1);
  });

  test("takes as many files, and as large ones, as are allowed", async () => {
    const names = ["a", "b", "c", "d"];
    const added = await on.send(...names.map((name) => file(name, "x".repeat(MAX_SIZE))));
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
        const added = await on.upload(form, bytes.length);
        for (const [n, record] of added.entries()) {
          const content = contents[n] ?? new Uint8Array();
          expect(record).toMatchObject({ size: content.length, checksum: crc32(content) });
          const body = await on.bed.blobs.read(record.blobId, record.size);
          expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(content);
        }
        expect(added).toHaveLength(contents.length);
      }),
      { numRuns: 20 },
    );
  });

  test("of many at once keeps each to itself", async () => {
    const requests = Array.from({ length: 60 }, (_, n) =>
      on.send(["folder", `f${n % 3}`], file(`${n}`, `${n} `.repeat(1000)), file(`${n}b`)),
    );
    for (const [n, added] of (await Promise.all(requests)).entries()) {
      expect(added.map(({ key }) => `${key}`)).toEqual([`f${n % 3}/${n}`, `f${n % 3}/${n}b`]);
      expect(await on.textOf(added[0])).toBe(`${n} `.repeat(1000));
    }
    await on.expectNoTrouble();
  });

  test("of one name by 10 at once has one winner", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        on.send(file("same", `${n}`)).then(
          ([added]) => added,
          (error: unknown) => error,
        ),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome instanceof Fault);
    expect(refused.map(({ kind }) => kind)).toEqual(Array(9).fill("conflict"));
    expect(await on.bed.stored()).toHaveLength(1);
    await on.expectNoTrouble();
  });
});
