import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createS3Client } from "../server/blobs/s3/s3-client.ts";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { raw } from "./raw.ts";
import { keysIn, multipartUploadsIn, s3Environment } from "./s3-environment.ts";

const seeded = (size: number): Uint8Array => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2654435761) >>> 0, at);
  return bytes;
};

describe.skipIf(!hasS3Server)("a server with blobs on S3", () => {
  let settings: S3Settings;
  let server: TestServer;
  const large = seeded(20_000_003);

  beforeAll(async () => {
    settings = await (await s3Server()).fresh();
    server = await startServer(s3Environment(settings));
  });
  afterAll(() => server.discard());

  test("keeps acknowledged files after kill -9, and no blobs in its data folder", async () => {
    await api(server).put("a/kept.txt", "kept");
    await api(server).put("a/large.bin", large);
    await server.kill();
    await server.restart();
    expect((await send(server, "GET", "/api/hosting/a/kept.txt")).text).toBe("kept");
    const whole = await send(server, "GET", "/api/hosting/a/large.bin");
    expect(Buffer.compare(whole.bytes, large)).toBe(0);
    expect(existsSync(join(server.dataPath, "blobs"))).toBe(false);
    expect(await keysIn(settings)).toHaveLength(3);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  test("reads only the bytes of a range from S3", async () => {
    for (const [range, start, end] of [
      ["bytes=0-0", 0, 1],
      ["bytes=19000000-", 19_000_000, 20_000_003],
      ["bytes=-5", 19_999_998, 20_000_003],
      ["bytes=7000000-12000000", 7_000_000, 12_000_001],
    ] as const) {
      const part = await send(server, "GET", "/api/hosting/a/large.bin", { Range: range });
      expect(part.status).toBe(206);
      expect(part.header("content-range")).toBe(`bytes ${start}-${end - 1}/20000003`);
      expect(Buffer.compare(part.bytes, large.subarray(start, end))).toBe(0);
    }
    const beyond = await send(server, "GET", "/api/hosting/a/large.bin", {
      Range: "bytes=20000003-",
    });
    expect(beyond.status).toBe(416);
    const head = await send(server, "HEAD", "/api/hosting/a/large.bin");
    expect(head.header("content-length")).toBe("20000003");
  });

  test("caches a small file after two reads", async () => {
    const before = new Set(await keysIn(settings));
    const { id } = await api(server).put("a/small.txt", "small");
    const [key = ""] = (await keysIn(settings)).filter((each) => !before.has(each));
    const get = (range: Record<string, string> = {}) =>
      send(server, "GET", "/api/hosting/a/small.txt", range);
    for (const _ of ["once", "again"]) expect((await get()).text).toBe("small");
    await createS3Client(settings).send({ method: "DELETE", key });
    expect((await get()).text).toBe("small");
    expect((await get({ Range: "bytes=1-2" })).text).toBe("ma");
    await server.restart();
    expect((await get()).status).toBe(404);
    await api(server).json("DELETE", "/api/files", { id });
  });

  /** Requests a file and stops reading after the first bytes of the response. */
  async function startReading(path: string): Promise<Socket> {
    for (;;) {
      const socket = connect({ host: "127.0.0.1", port: server.port });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      const [start] = await once(socket, "data");
      if (`${start}`.startsWith("HTTP/1.1 200 ")) return socket.pause();
      socket.destroy();
      // On a busy machine, so many readers at once may slow down the store.
      await Bun.sleep(500);
    }
  }

  test("sends Content-Length up to 1 MiB and chunks above", async () => {
    const framed = async (path: string, headers = {}) => {
      let answer = await raw(server.port, "GET", path, headers);
      // On a busy machine, many readers may slow down the store.
      for (let attempt = 1; answer.status === 503 && attempt < 60; attempt += 1) {
        await Bun.sleep(1000);
        answer = await raw(server.port, "GET", path, headers);
      }
      expect(answer.excess).toHaveLength(0);
      return [
        answer.header("content-length"),
        answer.header("transfer-encoding"),
        Bun.hash(answer.bytes),
      ];
    };
    for (const size of [0, 1, 65_536, 65_537, 1_048_576]) {
      const { url } = await api(server).put(`lengths/${size}`, large.subarray(0, size));
      expect(await framed(`/${url}`)).toEqual([`${size}`, null, Bun.hash(large.subarray(0, size))]);
    }
    const { url } = await api(server).put("lengths/more", large.subarray(0, 1_048_577));
    expect(await framed(`/${url}`)).toEqual([
      null,
      "chunked",
      Bun.hash(large.subarray(0, 1_048_577)),
    ]);
    const part = await framed("/api/hosting/a/large.bin", { Range: "bytes=1000000-1999999" });
    expect(part).toEqual(["1000000", null, Bun.hash(large.subarray(1_000_000, 2_000_000))]);

    // Each worker has its own buffers, and a client may reach any of them.
    if (process.env.TEST_WORKERS !== undefined) return;
    // All buffers are in use by slow clients. On a busy machine, the first of them may be gone before the
    // last one starts to read.
    const slow: Socket[] = [];
    let answer: unknown[] = [];
    for (let attempt = 1; attempt <= 5 && answer[1] !== "chunked"; attempt += 1) {
      const more = Array.from({ length: 66 }, () => startReading("/api/hosting/a/large.bin"));
      slow.push(...(await Promise.all(more)));
      answer = await framed("/api/hosting/lengths/1048576");
    }
    expect(answer).toEqual([null, "chunked", Bun.hash(large.subarray(0, 1_048_576))]);
    for (const socket of slow) socket.destroy();
  });

  test("removes the objects of deleted files and failed uploads", async () => {
    const before = (await keysIn(settings)).length;
    const file = await api(server).put("gone.bin", large);
    expect(await keysIn(settings)).toHaveLength(before + 1);
    await api(server).json("DELETE", "/api/files", { id: file.id });
    expect(await keysIn(settings)).toHaveLength(before);
    await expect(api(server).put("a/kept.txt", large)).rejects.toThrow();
    expect(await keysIn(settings)).toHaveLength(before);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  /** Starts an endless upload; resolves once some of its parts are on S3. */
  async function beginUpload(name: string): Promise<AbortController> {
    const stop = new AbortController();
    const head = `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === 0) controller.enqueue(Buffer.from(head));
        if (sent < 20) controller.enqueue(new Uint8Array(1_000_000));
        else await Bun.sleep(60_000);
        sent += 1;
      },
    });
    const headers = { "API-Key": server.apiKey, "Content-Type": "multipart/form-data; boundary=b" };
    const request = { method: "POST", headers, body, signal: stop.signal };
    fetch(`${server.url}/api/files`, request).catch(() => {});
    const hasBegun = async () => (await multipartUploadsIn(settings)).length === 1;
    await eventually("the upload is under way on S3", hasBegun);
    return stop;
  }

  test("aborts the multipart upload when the client disconnects", async () => {
    const before = await keysIn(settings);
    (await beginUpload("cut.bin")).abort();
    const isGone = async () => (await multipartUploadsIn(settings)).length === 0;
    await eventually("nothing is under way on S3", isGone);
    expect(await keysIn(settings)).toEqual(before);
  });

  test("aborts multipart uploads of a killed process at the next start", async () => {
    const before = await keysIn(settings);
    const stop = await beginUpload("killed.bin");
    await server.kill();
    stop.abort();
    expect(await multipartUploadsIn(settings)).toHaveLength(1);
    await server.restart();
    const isGone = async () => (await multipartUploadsIn(settings)).length === 0;
    await eventually("nothing is under way on S3", isGone);
    expect(await keysIn(settings)).toEqual(before);
  });

  test("keeps one of 16 concurrent uploads of one name, and one object", async () => {
    const before = (await keysIn(settings)).length;
    const racers = Array.from({ length: 16 }, () => api(server).put("raced.bin", large));
    const won = (await Promise.allSettled(racers)).filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    const isOne = async () => (await keysIn(settings)).length === before + 1;
    await eventually("the losers' bytes are gone", isOne);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  test("is ready", async () => {
    const answer = await send(server, "GET", "/api/health/ready");
    expect([answer.status, answer.text]).toEqual([200, '{"data":{"ready":true},"error":null}']);
  });

  test("supports verify, backup, restore to disk and to another bucket, and export", async () => {
    const folder = join(server.dataPath, "..");
    expect((await run(["verify"], server.env)).code).toBe(0);
    const backup = join(folder, "backup");
    expect(await run(["backup", backup], server.env)).toMatchObject({ code: 0 });
    const verifyBackup = { ...server.env, BLOBS: undefined, DATA_PATH: backup };
    expect(await run(["verify"], verifyBackup)).toMatchObject({ code: 0 });
    const other = await (await s3Server()).fresh();
    const restored = {
      ...server.env,
      ...s3Environment(other),
      DATA_PATH: join(folder, "restored"),
    };
    expect(await run(["restore", backup], restored)).toMatchObject({ code: 0 });
    expect(await run(["verify"], restored)).toMatchObject({ code: 0 });
    const into = { ...restored, DATA_PATH: join(folder, "once-more") };
    const full = [1, expect.stringContaining("choose an empty bucket")];
    for (const _ of ["at first", "again"]) {
      const refused = await run(["restore", backup], into);
      expect([refused.code, refused.stderr]).toEqual(full);
    }
    const exported = join(folder, "exported");
    expect(await run(["export", exported], server.env)).toMatchObject({ code: 0 });
    expect(await Bun.file(join(exported, "a", "kept.txt")).text()).toBe("kept");
    expect(Buffer.compare(await Bun.file(join(exported, "a/large.bin")).bytes(), large)).toBe(0);
  });
});

describe.skipIf(!hasS3Server)("presigned redirects to S3", () => {
  let server: TestServer;
  beforeAll(async () => {
    const settings = await (await s3Server()).fresh();
    server = await startServer({ ...s3Environment(settings), DELIVERY: "redirect" });
    await api(server).put('näme "x".html', "<p>redirected</p>");
    await api(server).put("hidden.txt", "hidden", { visibility: "private" });
  });
  afterAll(() => server.discard());

  const path = "/api/hosting/n%C3%A4me%20%22x%22.html";

  test("must not be cached", async () => {
    const answer = await send(server, "GET", `${path}?download=1`);
    expect(answer.status).toBe(302);
    expect(answer.header("cache-control")).toBe("private, no-store");
    const location = answer.header("location") ?? "";
    expect(new URL(location).searchParams.get("X-Amz-Expires")).toBe("60");
    const there = await fetch(location, { headers: { Range: "bytes=3-12" } });
    expect(there.status).toBe(206);
    expect(await there.text()).toBe("redirected");
    expect(there.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(there.headers.get("content-disposition")).toStartWith("attachment;");
    expect(there.headers.get("content-disposition")).toContain("n%C3%A4me%20%22x%22.html");
  });

  test("must not be cached at a lasting URL either", async () => {
    const file = await api(server).put("lasting.txt", "lasting");
    const found = await api(server).get(`/api/files?id=${file.id}&include=lastingUrl`);
    const { lastingUrl } = JSON.parse(found.text).data.file;
    const answer = await send(server, "GET", `/${lastingUrl}`);
    expect(answer.status).toBe(302);
    expect(answer.header("cache-control")).toBe("private, no-store");
    expect(await (await fetch(answer.header("location") ?? "")).text()).toBe("lasting");
  });

  test("have the digest of a large file, and make the store send the file's headers", async () => {
    const a = api(server);
    const content = Buffer.alloc(20_000_000, "0123456789");
    const file = await a.put("headers.txt", content);
    const digest = new Bun.CryptoHasher("sha256").update(content).digest();
    const head = await send(server, "HEAD", `/${file.url}`);
    expect(head.header("repr-digest")).toBe(`sha-256=:${digest.toString("base64")}:`);
    const metadata = {
      cacheControl: "public, max-age=60",
      contentDisposition: 'inline; filename="other.txt"',
      contentLanguage: "de",
      contentEncoding: "br",
    };
    expect((await a.json("PUT", "/api/files", { id: file.id, metadata })).status).toBe(200);
    const answer = await send(server, "GET", `/${file.url}`);
    expect([answer.status, answer.header("cache-control")]).toEqual([302, "private, no-store"]);
    const there = await fetch(answer.header("location") ?? "", {
      headers: { Range: "bytes=0-9" },
      decompress: false,
    });
    expect(await there.text()).toBe("0123456789");
    expect(there.headers.get("cache-control")).toBe(metadata.cacheControl);
    expect(there.headers.get("content-disposition")).toContain('inline; filename="other.txt"');
    expect(there.headers.get("content-language")).toBe("de");
    expect(there.headers.get("content-encoding")).toBe("br");
  });

  test("repeat a URL for a while, but not once the file has changed", async () => {
    const a = api(server);
    const file = await a.put("repeated.txt", "first");
    const locationOf = async (query = ""): Promise<string> =>
      (await send(server, "GET", `/${file.url}${query}`)).header("location") ?? "";
    const textAt = async (location: string): Promise<string> => (await fetch(location)).text();
    const [inline, attachment] = [await locationOf(), await locationOf("?download=1")];
    expect(await locationOf()).toBe(inline);
    expect(await locationOf("?download=1")).not.toBe(inline);
    expect(await textAt(inline)).toBe("first");
    expect(await textAt(attachment)).toBe("first");
    await a.upload([field("onConflict", "replace"), filePart("repeated.txt", "second")]);
    expect(await textAt(await locationOf())).toBe("second");
    expect((await a.json("PUT", "/api/files", { id: file.id, visibility: "private" })).status).toBe(
      200,
    );
    expect((await send(server, "GET", `/${file.url}`)).status).toBe(404);
  });

  test("leave HEAD, 304, 416, conditions and refusals to the server", async () => {
    const head = await send(server, "HEAD", path);
    expect([head.status, head.header("content-length")]).toEqual([200, "17"]);
    const tag = head.header("etag") ?? "";
    expect((await send(server, "GET", path, { "If-None-Match": tag })).status).toBe(304);
    expect((await send(server, "GET", path, { Range: "bytes=17-" })).status).toBe(416);
    const resumed = await send(server, "GET", path, { "If-Range": tag, Range: "bytes=3-12" });
    expect([resumed.status, resumed.text]).toEqual([206, "redirected"]);
    expect((await send(server, "GET", "/api/hosting/hidden.txt")).status).toBe(404);
    const mine = { "API-Key": server.apiKey };
    expect((await send(server, "GET", "/api/hosting/hidden.txt", mine)).status).toBe(302);
  });
});

describe.skipIf(!hasS3Server)("refuses to start with one line", () => {
  let settings: S3Settings;
  let server: TestServer;
  beforeAll(async () => {
    settings = await (await s3Server()).fresh();
    server = await startServer(s3Environment(settings));
    await api(server).put("one.txt");
    await server.stop();
  });
  afterAll(() => server.discard());

  const refusal = async (changes: Readonly<Record<string, string | undefined>>) => {
    const { code, stderr } = await run([], { ...server.env, PORT: "0", ...changes });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toBe(stderr.trim());
    expect(stderr).not.toContain(settings.secretAccessKey);
    return stderr;
  };

  test.each([
    ["the endpoint does not listen", { S3_ENDPOINT: "http://127.0.0.1:1" }, "does not answer"],
    ["the bucket does not exist", { S3_BUCKET: "nobodys-bucket" }, "there is no such bucket"],
    ["the key is unknown", { S3_ACCESS_KEY_ID: "AKIANOBODY" }, "S3_ACCESS_KEY_ID"],
    ["the secret is wrong", { S3_SECRET_ACCESS_KEY: "wrong" }, "S3_SECRET_ACCESS_KEY"],
    ["the files are in another store", { BLOBS: undefined }, "set BLOBS=s3"],
    ["a setting is missing", { S3_SECRET_ACCESS_KEY: undefined }, "S3_SECRET_ACCESS_KEY"],
  ])("when %s", async (_, changes, reason) => {
    expect(await refusal(changes)).toContain(reason);
  });

  test("when the endpoint contains the bucket or is not S3", async () => {
    const bucket = await (await s3Server()).fresh();
    const there = { ...s3Environment(bucket), DATA_PATH: join(server.dataPath, "..", "fresh") };
    const inside = { ...there, S3_ENDPOINT: `${bucket.endpoint}/${bucket.bucket}` };
    expect(await refusal(inside)).toContain("leave its name out of S3_ENDPOINT");
    expect(await keysIn(bucket)).toEqual([]);
    const page = Bun.serve({ port: 0, fetch: () => new Response("<html>") });
    try {
      expect(await refusal({ ...there, S3_ENDPOINT: page.url.origin })).toContain("is not S3");
    } finally {
      await page.stop(true);
    }
  });

  test("when the bucket belongs to another instance, or the data folder has blobs", async () => {
    const other = join(server.dataPath, "..", "other");
    expect(await refusal({ DATA_PATH: other })).toContain("another instance");
    const own = join(server.dataPath, "blobs");
    mkdirSync(own);
    writeFileSync(join(own, "something"), "");
    expect(await refusal({})).toContain("files of its own");
  });
});
