import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipart, type Part } from "./multipart.ts";
import { filesData, newKeyData, pageData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const sha256 = (content: string | Uint8Array, encoding: "hex" | "base64" = "hex"): string =>
  createHash("sha256").update(content).digest(encoding);

const digestData = z.strictObject({
  id: z.string(),
  key: z.string(),
  size: z.number(),
  sha256: z.string().nullable(),
  etag: z.string(),
});

/** More than what is hashed without the thread. */
const large = Buffer.alloc(3_000_000, "0123456789abcdef\n");

describe("the digest of a file", () => {
  test("is stored with the upload, replaced with the content, and kept by other changes", async () => {
    const folder = unique("digest");
    const file = await a.put(`${folder}/a.txt`, large);
    const read = async (query: string) =>
      expectData(await a.get(`/api/files/digest?${query}`), digestData);
    const { etag, ...found } = await read(`id=${file.id}`);
    expect(found).toEqual({
      id: file.id,
      key: file.key,
      size: large.length,
      sha256: sha256(large),
    });
    expect((await a.get(`/${file.url}`)).header("etag")).toBe(etag);
    const expected = { ...found, etag };
    expect(await read(`key=${encodeURIComponent(file.key)}`)).toEqual(expected);
    await a.json("PUT", "/api/files", { id: file.id, name: "b.txt", visibility: "private" });
    expect(await read(`id=${file.id}`)).toEqual({ ...expected, key: `${folder}/b.txt` });
    const parts = [field("folder", folder), field("onConflict", "replace")];
    await a.upload([...parts, filePart("b.txt", "other")]);
    expect(await read(`id=${file.id}`)).toMatchObject({ size: 5, sha256: sha256("other") });
  });

  test("needs one selector of a file that exists", async () => {
    expectFault(await a.get("/api/files/digest"), 400, /either `id` or `key`/);
    expectFault(await a.get("/api/files/digest?id=x&key=y"), 400, /either `id` or `key`/);
    expectFault(await a.get("/api/files/digest?id=nobody"), 404);
    expectFault(await send(server, "GET", "/api/files/digest?id=nobody"), 401);
  });

  test("finds files, in pages", async () => {
    const content = unique("the same content");
    const files = [];
    for (const name of ["a", "b", "c"]) {
      files.push(await a.put(`${unique("same")}/${name}`, content));
    }
    const query = `?sha256=${sha256(content).toUpperCase()}&orderBy=name&orderDirection=ASC`;
    expect(await a.list(query)).toEqual(files);
    const first = expectData(await a.get(`/api/files${query}&limit=2&cursor=`), pageData);
    expect(first.files).toEqual(files.slice(0, 2));
    const rest = await a.get(`/api/files${query}&limit=2&cursor=${first.nextCursor}`);
    expect(expectData(rest, pageData)).toEqual({ files: files.slice(2), nextCursor: null });
    const other = query.replace(/sha256=\w+/, `sha256=${sha256("x")}`);
    expectFault(
      await a.get(`/api/files${other}&limit=2&cursor=${first.nextCursor}`),
      400,
      /cursor/,
    );
    expect(await a.list(`?sha256=${sha256(unique("nobody has this"))}`)).toEqual([]);
    expectFault(await a.get("/api/files?sha256=abc"), 400, /`sha256` must be a SHA-256 digest/);
    expectFault(await a.get(`${`/api/files${query}`}&name=a`), 400, /only one of/);
  });

  test("is checked before the actions of the key are", async () => {
    const body = { name: unique("key"), actions: ["write"] };
    const { secret } = expectData(await a.json("POST", "/api/keys", body), newKeyData);
    const writer = api({ ...server, apiKey: secret });
    expectFault(
      await writer.get("/api/files?sha256=abc"),
      400,
      /`sha256` must be a SHA-256 digest/,
    );
    expectFault(await writer.get(`/api/files?sha256=${sha256("x")}`), 403, /action `list`/);
  });
});

/** Expects a 400 that stored nothing, and returns its message. */
async function expectNothingStored(
  parts: readonly Part[],
  headers: Record<string, string>,
  message: RegExp,
): Promise<void> {
  const folder = unique("refused");
  expectFault(await a.upload([field("folder", folder), ...parts], headers), 400, message);
  expect((await a.get(`/api/folders?key=${folder}`)).status).toBe(404);
}

describe("the digests of an upload", () => {
  const files = [filePart("a", "first"), filePart("b", large), filePart("c", "")];
  const digests = ["first", large, ""].map((content) => field("sha256", sha256(content)));

  test.each([
    ["before the files", [...digests, ...files]],
    ["after the files", [...files, ...digests]],
    [
      "before each file",
      files.flatMap((file, index) => digests.slice(index, index + 1).concat(file)),
    ],
    ["after each file", files.flatMap((file, index) => [file, ...digests.slice(index, index + 1)])],
    [
      "in capitals",
      [...digests.map((part) => ({ ...part, content: `${part.content}`.toUpperCase() })), ...files],
    ],
    [
      "some of them empty",
      [field("sha256", ""), ...digests.slice(1, 2), field("sha256", ""), ...files],
    ],
  ])("are compared with the files in their order: %s", async (_, parts) => {
    const answer = await a.upload([field("folder", unique("digests")), ...parts]);
    expect(expectData(answer, filesData).files.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("that differ store nothing, with the expected and the actual digest in the message", async () => {
    const wrong = field("sha256", sha256("second"));
    const says = new RegExp(`"b" is ${sha256(large)}, but .sha256. says ${sha256("second")}`);
    const [first = wrong, , last = wrong] = digests;
    await expectNothingStored([first, wrong, last, ...files], {}, says);
    await expectNothingStored([...files, first, wrong, last], {}, says);
    await expectNothingStored([...digests.toReversed(), ...files], {}, /"a" is/);
  });

  test("must be one for each file", async () => {
    const count = /3 files, but 2 fields `sha256`/;
    await expectNothingStored([...digests.slice(0, 2), ...files], {}, count);
    await expectNothingStored([...files, ...digests, field("sha256", "")], {}, /but 4 fields/);
    await expectNothingStored([field("sha256", "abc"), ...files], {}, /`sha256` must be/);
  });

  test("of the whole body are compared with Content-Digest and Repr-Digest", async () => {
    const folder = unique("body");
    const parts = [field("folder", folder), ...files];
    const right = `sha-256=:${sha256(multipart(parts).bytes, "base64")}:`;
    for (const name of ["Content-Digest", "Repr-Digest"]) {
      const value = `sha-512=:AAAA:, ${right};q=1`;
      const answer = await a.upload(parts, { [name]: value });
      expect(expectData(answer, filesData).files).toHaveLength(3);
      for (const { id } of expectData(answer, filesData).files) {
        await a.json("DELETE", "/api/files", { id });
      }
      await expectNothingStored(files, { [name]: right }, new RegExp(`header ${name} says`));
      await expectNothingStored(
        files,
        { [name]: "sha-256=abc" },
        new RegExp(`${name} is malformed`),
      );
      await expectNothingStored(files, { [name]: "sha-256=" }, /malformed/);
    }
    expect((await a.upload(parts, { "Content-Digest": "md5=:AAAA:" })).status).toBe(200);
  });
});

describe("Repr-Digest", () => {
  const field = (content: string) => `sha-256=:${sha256(content, "base64")}:`;
  const hosted = (url: string, headers: Record<string, string> = {}, method = "GET") =>
    send(server, method, `/${url}`, headers);

  test("is that of the whole file on every response with a public file", async () => {
    const { url, id } = await a.put(`${unique("repr")}/a.txt`, "content");
    const whole = await hosted(url);
    expect(whole.header("repr-digest")).toBe(field("content"));
    expect(whole.header("access-control-expose-headers")).toContain("Repr-Digest");
    const part = await hosted(url, { Range: "bytes=2-3" });
    expect([part.status, part.header("repr-digest")]).toEqual([206, field("content")]);
    const head = await hosted(url, {}, "HEAD");
    expect(head.header("repr-digest")).toBe(field("content"));
    const unwanted = await hosted(url, { "Want-Repr-Digest": "sha-256=0" });
    expect(unwanted.header("repr-digest")).toBe(field("content"));
    const downloaded = await a.get(`/api/files/download/${id}`);
    expect(downloaded.header("repr-digest")).toBe(field("content"));
  });

  test("is absent from responses without the file", async () => {
    const { url } = await a.put(`${unique("repr")}/a.txt`, "content");
    const etag = (await hosted(url)).header("etag") ?? "";
    const answers = [
      [304, { "If-None-Match": etag }],
      [412, { "If-Match": '"other"' }],
      [416, { Range: "bytes=7-" }],
    ] as const;
    for (const [status, headers] of answers) {
      const answer = await hosted(url, headers);
      expect([answer.status, answer.header("repr-digest")]).toEqual([status, null]);
    }
  });

  test("of a private file needs a right to read it, and Want-Repr-Digest", async () => {
    const file = await a.put(`${unique("repr")}/a.txt`, "secret", { visibility: "private" });
    const want = { "Want-Repr-Digest": "sha-512=10, sha-256=1" };
    const key = { "API-Key": server.apiKey };
    const refused = await hosted(file.url, want);
    expect([refused.status, refused.header("repr-digest")]).toEqual([404, null]);
    expect((await hosted(file.url, key)).header("repr-digest")).toBeNull();
    const wanted = await hosted(file.url, { ...key, ...want });
    expect(wanted.header("repr-digest")).toBe(field("secret"));
    expect(wanted.header("cache-control")).toBe("private, no-store");
    const part = await hosted(file.url, { ...key, ...want, Range: "bytes=1-2" });
    expect([part.status, part.header("repr-digest")]).toEqual([206, field("secret")]);
    for (const value of ["sha-256=0", "sha-512=1", "sha-256"]) {
      const answer = await hosted(file.url, { ...key, "Want-Repr-Digest": value });
      expect([answer.status, answer.header("repr-digest")]).toEqual([200, null]);
    }
    const downloaded = await a.get(`/api/files/download/${file.id}`, want);
    expect(downloaded.header("repr-digest")).toBe(field("secret"));
    const signed = await a.json("POST", "/api/files/sign", { id: file.id });
    const { url } = expectData(signed, z.object({ url: z.string() }));
    expect((await hosted(url, want)).header("repr-digest")).toBe(field("secret"));
  });
});
