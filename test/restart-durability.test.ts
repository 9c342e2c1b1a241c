import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { filePart, multipartType, partHead } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { blobsOf } from "./snapshot.ts";
import { expectSoonerThanAServer } from "./sooner-than-a-server.ts";
import { isOnDisk } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

async function crash(): Promise<void> {
  await server.kill();
  await server.restart();
}

test("a restart after kill -9 waits for nothing", async () => {
  await a.put(unique("durable"));
  await expectSoonerThanAServer(crash, 4000);
});

test("acknowledged uploads survive kill -9", async () => {
  const base = unique("durable");
  const content = Buffer.alloc(700_000, 5);
  const big = await a.put(`${base}/big.bin`, content);
  const renamed = await a.put(`${base}/old.txt`, "renamed");
  const hidden = await a.put(`${base}/sub/hidden.txt`, "hidden");
  const gone = await a.put(`${base}/gone.txt`, "gone");
  const moved = await a.put(`${base}/moved/deep/f.txt`, "moved");
  const folder = (await a.browse(`${base}/moved`)).folder;
  await a.json("PUT", "/api/files", { id: renamed.id, name: "new.txt" });
  await a.json("PUT", "/api/folders", { id: hidden.folderId, visibility: "private" });
  await a.json("DELETE", "/api/files", { id: gone.id });
  await a.json("PUT", "/api/folders", { id: folder.id, name: "arrived" });
  const before = await a.list();
  const last = await a.put(`${base}/last.txt`, "last");
  await crash();

  expect(await a.list()).toEqual([last, ...before]);
  const read = async (key: string) => {
    const answer = await a.get(`/api/hosting/${key}`);
    return [answer.status, answer.text];
  };
  expect(Buffer.compare((await send(server, "GET", `/${big.url}`)).bytes, content)).toBe(0);
  expect(await read(`${base}/new.txt`)).toEqual([200, "renamed"]);
  expect(await read(`${base}/last.txt`)).toEqual([200, "last"]);
  expect(await read(`${base}/arrived/deep/f.txt`)).toEqual([200, "moved"]);
  expectFault(await a.get(`/api/hosting/${base}/old.txt`), 404);
  expectFault(await a.get(`/api/hosting/${base}/gone.txt`), 404);
  expectFault(await a.get(`/api/hosting/${moved.key}`), 404);
  expectFault(await send(server, "GET", `/${hidden.url}`), 404);
  expect(await read(hidden.key)).toEqual([200, "hidden"]);
});

test("ETag and Last-Modified survive a restart", async () => {
  const file = await a.put(unique("durable"));
  const before = await send(server, "GET", `/${file.url}`);
  await crash();
  const after = await send(server, "GET", `/${file.url}`);
  expect(after.header("etag")).toBe(before.header("etag"));
  expect(after.header("last-modified")).toBe(before.header("last-modified"));
});

test("every upload acknowledged before kill -9 amid concurrent uploads survives", async () => {
  const base = unique("durable");
  const acknowledged: string[] = [];
  const one = async (at: number) => {
    try {
      acknowledged.push((await a.put(`${base}/${at}`, `content ${at}`)).key);
    } catch {
      /* The server was killed before it responded, so nothing was acknowledged. */
    }
  };
  const all = Promise.all(Array.from({ length: 60 }, (_, at) => one(at)));
  await eventually("some are acknowledged", () => acknowledged.length > 5);
  await server.kill();
  await all;
  await server.restart();
  const listed = new Set((await a.list()).map((file) => file.key));
  for (const key of acknowledged) expect([key, listed.has(key)]).toEqual([key, true]);
  for (const key of listed) {
    if (!key.startsWith(`${base}/`)) continue;
    expect((await send(server, "GET", `/api/hosting/${key}`)).text).toBe(
      `content ${key.split("/")[1]}`,
    );
  }
});

test.skipIf(!isOnDisk)(
  "an upload interrupted by kill -9 leaves nothing after the next start",
  async () => {
    const before = blobsOf(server.dataPath);
    const fresh = () => blobsOf(server.dataPath).filter((blob) => !before.includes(blob)).length;
    const listed = await a.list();
    const connection = await openRaw(server.port);
    connection.send(
      head("POST", "/api/files", [
        ["API-Key", server.apiKey],
        ["Content-Type", multipartType],
        ["Content-Length", "9000000"],
      ]),
    );
    connection.send(partHead(filePart("cut.bin", "")));
    connection.send(Buffer.alloc(3_000_000));
    await eventually("bytes arrive", () => fresh() > 0);
    await crash();
    connection.destroy();
    expect(await a.list()).toEqual(listed);
    await eventually("the leftovers are gone", () => fresh() === 0);
  },
);

test("bytes of a deletion acknowledged before kill -9 are freed after the next start", async () => {
  const size = 1_357_913;
  const file = await a.put(unique("durable"), Buffer.alloc(size));
  await a.json("DELETE", "/api/files", { id: file.id });
  await crash();
  await eventually("the bytes are gone", () =>
    blobsOf(server.dataPath).every((blob) => !blob.endsWith(` ${size}`)),
  );
});
