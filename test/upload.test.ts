import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { filesData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const uploaded = async (...parts: Parameters<typeof a.upload>[0]) =>
  expectData(await a.upload(parts), filesData).files;

/** The responses of both read endpoints for a file. */
async function readBack(file: { id: string; url: string }) {
  const hosted = await send(server, "GET", `/${file.url}`);
  const downloaded = await a.get(`/api/files/download/${file.id}`);
  expect([hosted.status, downloaded.status]).toEqual([200, 200]);
  expect(Buffer.compare(hosted.bytes, downloaded.bytes)).toBe(0);
  return hosted.bytes;
}

test("stores a file without a folder in the root", async () => {
  const name = `${unique("plain")}.txt`;
  const root = await a.browse("");
  const from = Date.now();
  const [file, ...more] = await uploaded(filePart(name, "hello"));
  expect(more).toEqual([]);
  expect(file).toMatchObject({
    name,
    key: name,
    mimeType: "text/plain",
    size: 5,
    folderId: root.folder.id,
    visibility: "public",
    url: `api/hosting/${name}`,
  });
  const created = Date.parse(`${file?.createdAt.replace(" ", "T")}Z`);
  expect(created).toBeGreaterThanOrEqual(Math.floor(from / 1000) * 1000);
  expect(created).toBeLessThanOrEqual(Date.now());
  expect(file?.updatedAt).toBe(file?.createdAt);
});

test("creates the folder and returns several files in order", async () => {
  const folder = `${unique("many")}/new/deep`;
  const files = await uploaded(
    field("folder", folder),
    filePart("b.txt", "1"),
    filePart("a.txt", "22"),
    filePart("c.txt", "333"),
  );
  expect(files.map((file) => [file.name, file.size])).toEqual([
    ["b.txt", 1],
    ["a.txt", 2],
    ["c.txt", 3],
  ]);
  const shown = await a.browse(folder);
  expect(new Set(files.map((file) => file.folderId))).toEqual(new Set([shown.folder.id]));
  expect(files[0]?.key).toBe(`${folder}/b.txt`);
  expect(new Set(shown.files.map((file) => file.id))).toEqual(
    new Set(files.map((file) => file.id)),
  );
});

test("accepts folder and visibility after the files", async () => {
  const folder = unique("after");
  const [one, two] = await uploaded(
    filePart("one", "1"),
    filePart("two", "2"),
    field("visibility", "private"),
    field("folder", `${folder}/x`),
  );
  expect(one).toMatchObject({ key: `${folder}/x/one`, visibility: "private" });
  expect(two).toMatchObject({ key: `${folder}/x/two`, visibility: "private" });
});

test("accepts fields between the files", async () => {
  const folder = unique("between");
  const files = await uploaded(
    filePart("one", "1"),
    field("folder", folder),
    filePart("two", "2"),
    field("visibility", "public"),
    filePart("three", "3"),
  );
  expect(files.map((file) => file.key)).toEqual([
    `${folder}/one`,
    `${folder}/two`,
    `${folder}/three`,
  ]);
});

test("removes redundant slashes in the folder", async () => {
  const folder = unique("slashes");
  const [file] = await uploaded(field("folder", `//${folder}///b/`), filePart("f", ""));
  expect(file?.key).toBe(`${folder}/b/f`);
});

test.each(["", "/", "///"])("folder %p is the root", async (folder) => {
  const name = unique("root");
  const [file] = await uploaded(field("folder", folder), filePart(name, ""));
  expect(file?.key).toBe(name);
});

test("accepts one name in different folders", async () => {
  const base = unique("same");
  const one = await a.put(`${base}/1/f.txt`, "one");
  const two = await a.put(`${base}/2/f.txt`, "two");
  expect(one.id).not.toBe(two.id);
  expect(Buffer.from(await readBack(one)).toString()).toBe("one");
  expect(Buffer.from(await readBack(two)).toString()).toBe("two");
});

test("does not change an existing folder", async () => {
  const folder = await a.folder(`${unique("kept")}/in`);
  const file = await a.put(`${folder.key}/f`);
  expect(file.folderId).toBe(folder.id);
});

test("returns the bytes unchanged", async () => {
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const big = Buffer.concat(Array.from({ length: 55 }, () => content));
  const file = await a.put(`${unique("whole")}.bin`, big);
  expect(file.size).toBe(big.length);
  expect(Buffer.compare(await readBack(file), big)).toBe(0);
});

test("keeps content that looks like a boundary", async () => {
  const content = "\r\n--\r\n------holdall-test\r\n\r\n------holdall-test-boundary-5c1\r\n--";
  const file = await a.put(unique("boundary"), content);
  expect(Buffer.from(await readBack(file)).toString()).toBe(content);
});

test("accepts an empty file", async () => {
  const file = await a.put(`${unique("empty")}.txt`, "");
  expect(file.size).toBe(0);
  expect((await readBack(file)).length).toBe(0);
});

test("ignores an empty unnamed part beside a file", async () => {
  const name = unique("beside");
  const files = await uploaded(filePart(name, "x"), {
    name: "files",
    filename: "",
    type: "application/octet-stream",
    content: "",
  });
  expect(files.map((file) => file.name)).toEqual([name]);
});

describe("media type", () => {
  test.each([
    ["x.png", "text/plain", "image/png"],
    ["x.PNG", undefined, "image/png"],
    ["x.html", "application/octet-stream", "text/html"],
    ["x.tar.gz", undefined, "application/gzip"],
    ["x.pdf", undefined, "application/pdf"],
    ["x.mp4", undefined, "video/mp4"],
    ["x.unknown-extension", "image/x-of-the-part", "image/x-of-the-part"],
    ["x", "text/x-mine", "text/x-mine"],
    ["x", undefined, "application/octet-stream"],
    ["x.unknown-extension", undefined, "application/octet-stream"],
  ])("%s sent as %s is %s", async (name, type, expected) => {
    const file = await a.put(`${unique("type")}/${name}`, "x", type === undefined ? {} : { type });
    expect(file.mimeType).toBe(expected);
  });

  test.each(["nonsense", "a/b\tc", "text/plain\u0001", "<script>/x"])(
    "the invalid type %p of a part does not corrupt the response",
    async (type) => {
      const answer = await a.upload([
        { name: "files", filename: unique("odd"), type, content: "x" },
      ]);
      if (answer.status !== 400) {
        const [file] = expectData(answer, filesData).files;
        expect((await send(server, "GET", `/${file?.url}`)).status).toBe(200);
      }
    },
  );
});
