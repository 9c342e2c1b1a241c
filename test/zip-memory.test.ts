import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { openRaw, type RawConnection } from "./raw.ts";
import { newKeyData } from "./shapes.ts";
import { unzip } from "./unzip.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const WORKERS = Number(process.env.TEST_WORKERS ?? 1);
/** Each process has memory for 28 zips of large files. */
const CLIENTS = 36 * WORKERS;
/** More than the buffers of a connection. */
const SIZE = 12_000_000;
const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";

/** Requests a zip and reads no more than the start of the response. */
async function requestIdly(path: string): Promise<RawConnection> {
  const connection = await openRaw(server.port);
  const started = new Promise<string>((resolve) =>
    connection.socket.once("data", (bytes) => {
      connection.socket.pause();
      resolve(bytes.toString("latin1"));
    }),
  );
  connection.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAPI-Key: ${server.apiKey}\r\n\r\n`);
  heads.push(await started);
  return connection;
}

const heads: string[] = [];

test("zips that nobody reads take bounded memory: 503 with Retry-After until clients leave", async () => {
  const top = unique("idle");
  const content = Buffer.alloc(SIZE, "content");
  const large = await a.put(`${top}/large.bin`, content);
  const outside = await a.put(`${top}.txt`);
  const path = `/api/folders/download?key=${top}`;
  const clients: RawConnection[] = [];
  for (let client = 0; client < CLIENTS; client += 1) clients.push(await requestIdly(path));

  const statuses = heads.map((head) => head.split(" ")[1]);
  expect(statuses.filter((status) => status === "200").length).toBeLessThanOrEqual(28 * WORKERS);
  const refused = heads.filter((head) => !head.startsWith("HTTP/1.1 200 "));
  expect(refused.length).toBeGreaterThan(0);
  for (const head of refused) {
    expect(head).toStartWith("HTTP/1.1 503 ");
    expect(head).toMatch(/\r\nretry-after: 10\r\n/i);
    expect(head).toMatch(/"error":\{"code":"unavailable","message":"[^"]*zip/);
  }
  expect((await send(server, "GET", "/api/health")).status).toBe(200);

  // A selection that the key may not download is not planned, so it needs no memory.
  for (const [actions, missing] of [
    [["write", "list"], "read"],
    [["write", "read"], "list"],
  ] as const) {
    const made = await a.json("POST", "/api/keys", { name: unique("key"), actions, folder: top });
    const { secret } = expectData(made, newKeyData);
    const limited = api({ url: server.url, apiKey: secret });
    const download = (body: unknown) => limited.json("POST", "/api/files/download", body);
    const inside = { folderIds: [large.folderId], ids: [large.id] };
    expectFault(await download(inside), 403, new RegExp(`needs the action \`${missing}\``));
    const unknown = { ...inside, ids: [large.id, UNKNOWN_ID] };
    const notFound = await download(unknown);
    expectFault(notFound, 404, /There is no file/);
    const withOutside = await download({ ...inside, ids: [large.id, outside.id] });
    expect(withOutside.text).toBe(notFound.text.replace(UNKNOWN_ID, outside.id));
  }

  for (const client of clients) client.destroy();
  await eventually("a zip is complete", async () => (await a.get(path)).status === 200);
  const whole = await a.get(path);
  expect(unzip(whole.bytes).map(({ size }) => size)).toEqual([0, SIZE]);
});
