import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, type Part } from "./multipart.ts";
import { filesData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const part = (more: Partial<Part>): Part => ({ name: "files", content: "x", ...more });

async function storedName(more: Partial<Part>): Promise<string | undefined> {
  const answer = await a.upload([field("folder", unique("n")), part(more)]);
  return expectData(answer, filesData).files[0]?.name;
}

describe("the name in the header of a part", () => {
  test.each([
    "grüße.txt",
    "日本語.txt",
    "😀.txt",
    "عربى.txt",
    "a b  c.txt",
    "100%.txt",
    "a%20b.txt",
  ])("%s as plain UTF-8", async (name) => {
    expect(await storedName({ filename: name })).toBe(name);
  });

  test("is normalised to NFC", async () => {
    expect(await storedName({ filename: "e\u0301.txt" })).toBe("\u00e9.txt");
    expect(await storedName({ filenameStar: "UTF-8''e%CC%81.txt" })).toBe("\u00e9.txt");
  });

  test("may be given as filename* only", async () => {
    expect(await storedName({ filenameStar: "UTF-8''na%C3%AFve%20%26%20co.txt" })).toBe(
      "naïve & co.txt",
    );
    expect(await storedName({ filenameStar: "utf-8'en'x%22y.txt" })).toBe('x"y.txt');
  });

  test("is taken from filename* rather than filename", async () => {
    expect(
      await storedName({ filename: "fallback.txt", filenameStar: "UTF-8''%E2%82%AC.txt" }),
    ).toBe("€.txt");
  });

  test("may contain a quote as curl encodes it", async () => {
    expect(await storedName({ filename: 'say \\"hi\\".txt' })).toBe('say "hi".txt');
  });

  test.each([";", "a;b=c.txt", "x; filename=y", "a=b", "'", ".hidden", "...", "a.", "name="])(
    "%s is a name like any other",
    async (name) => {
      expect(await storedName({ filename: name })).toBe(name);
    },
  );

  test("may have 255 bytes", async () => {
    expect(await storedName({ filename: "n".repeat(255) })).toBe("n".repeat(255));
    const wide = "é".repeat(127);
    expect(await storedName({ filename: `${wide}x` })).toBe(`${wide}x`);
  });

  test("is measured after normalisation", async () => {
    const composed = "é".repeat(127);
    expect(await storedName({ filename: composed.normalize("NFD") })).toBe(composed);
  });
});

describe("rejects an invalid name and stores nothing", () => {
  const cases: readonly (readonly [string, Partial<Part>])[] = [
    ["a slash", { filename: "a/b.txt" }],
    ["a leading slash", { filename: "/b.txt" }],
    ["a trailing slash", { filename: "b.txt/" }],
    ["a way out", { filename: "../../etc/passwd" }],
    ["a backslash", { filename: "C:\\temp\\b.txt" }],
    ["an encoded slash in filename*", { filenameStar: "UTF-8''a%2Fb.txt" }],
    ["an encoded backslash in filename*", { filenameStar: "UTF-8''a%5Cb.txt" }],
    ["a dot", { filename: "." }],
    ["two dots", { filename: ".." }],
    ["white space", { filename: "   " }],
    ["no-break space", { filename: "\u00a0" }],
    ["a NUL in filename*", { filenameStar: "UTF-8''a%00.txt" }],
    ["a line feed in filename*", { filenameStar: "UTF-8''a%0A.txt" }],
    ["a tab", { filename: "a\tb" }],
    ["DEL", { filename: "a\x7fb" }],
    ["256 bytes", { filename: "n".repeat(256) }],
    ["128 letters of two bytes", { filename: "é".repeat(128) }],
    ["bad UTF-8", { filename: Buffer.from([0x61, 0xff, 0x62]) }],
    ["Latin-1", { filename: Buffer.from("grüße.txt", "latin1") }],
    ["bad UTF-8 in filename*", { filenameStar: "UTF-8''a%FFb" }],
    ["a lone surrogate in filename*", { filenameStar: "UTF-8''a%ED%A0%80b" }],
    ["bad percent-encoding in filename*", { filenameStar: "UTF-8''a%zzb" }],
    ["another character set in filename*", { filenameStar: "KOI8-R''%C1" }],
  ];
  test.each(cases)("%s", async (_what, more) => {
    const answer = await expectUnchanged(server, () =>
      a.upload([
        field("folder", unique("bad")),
        { name: "files", filename: "good.txt", content: "good" },
        part(more),
      ]),
    );
    expectFault(answer, 400);
  });
});
