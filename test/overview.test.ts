import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileShape, newKeyData } from "./shapes.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const count = z.int().min(0);
const kinds = ["image", "video", "audio", "document", "text", "archive", "other"] as const;
const shape = z.strictObject({
  storage: z.strictObject({
    used: count,
    free: count.nullable(),
    files: count,
    folders: count,
    trash: count,
    versions: count.nullable(),
  }),
  types: z.array(z.strictObject({ type: z.enum(kinds), files: count, bytes: count })),
  largest: z.array(fileShape),
  newest: z.array(fileShape),
  traffic: z.array(
    z.strictObject({
      at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:00:00$/),
      requests: count,
      bytes: count,
      errors: count,
      errorsByStatus: z.array(z.strictObject({ status: count, requests: count })),
    }),
  ),
  previous: z.strictObject({ requests: count, bytes: count, errors: count }),
  mostRequested: z.strictObject({
    since: z.string().regex(/^\d{4}-\d\d-\d\d 00:00:00$/),
    files: z.array(z.strictObject({ file: fileShape, requests: count, bytes: count })),
  }),
});

const read = async (query = "") => expectData(await a.get(`/api/overview${query}`), shape);
/** The sums over all hours, in case one has just ended. */
const total = async () => {
  const { traffic } = await read();
  const sum = (field: "requests" | "bytes" | "errors") =>
    traffic.reduce((all, hour) => all + hour[field], 0);
  return { requests: sum("requests"), bytes: sum("bytes"), errors: sum("errors") };
};

test.skipIf(isOnS3)("reports zeros for an empty instance, for every type", async () => {
  const overview = await read();
  expect(overview.storage).toMatchObject({ used: 0, files: 0, folders: 0 });
  expect(overview.storage.free).toBeGreaterThan(0);
  expect(overview.types).toEqual(kinds.map((type) => ({ type, files: 0, bytes: 0 })));
  expect([overview.largest, overview.newest]).toEqual([[], []]);
});

test("reports totals by type, the largest and the newest files", async () => {
  const folder = unique("overview");
  for (let size = 1; size <= 12; size += 1) await a.put(`${folder}/${size}.png`, "x".repeat(size));
  await a.put(`${folder}/deep/a.pdf`, "12345");
  // Statistics are cached for fifty times as long as counting took, which is longer with PostgreSQL.
  const isCounted = async () => (await read()).storage.files === 13;
  await eventually("the files are counted", isCounted);
  const overview = await read();
  expect(overview.storage).toMatchObject({ used: 78 + 5, files: 13, folders: 2 });
  const found = overview.types.filter(({ files }) => files > 0);
  expect(found).toEqual([
    { type: "image", files: 12, bytes: 78 },
    { type: "document", files: 1, bytes: 5 },
  ]);
  expect(overview.largest.map(({ size }) => size)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 5, 4]);
  expect(overview.newest.map(({ name }) => name).slice(0, 3)).toEqual([
    "a.pdf",
    "12.png",
    "11.png",
  ]);
  expect(overview.newest).toHaveLength(10);
});

test("counts requests for files, their bytes and their errors", async () => {
  const file = await a.put(unique("traffic"), "0123456789");
  const before = await total();
  await a.list();
  expect(await total()).toEqual(before);
  await send(server, "GET", `/${file.url}`);
  await send(server, "GET", `/${file.url}`, { Range: "bytes=0-3" });
  await send(server, "HEAD", `/${file.url}`);
  await send(server, "GET", `/${file.url}`, { "If-None-Match": "*" });
  await send(server, "GET", "/api/hosting/nothing-here");
  await a.get(`/api/files/download/${file.id}`);
  const zip = await a.json("POST", "/api/files/download", { ids: [file.id] });
  const after = await total();
  expect(after).toEqual({
    requests: before.requests + 7,
    bytes: before.bytes + 10 + 4 + 10 + zip.bytes.length,
    errors: before.errors + 1,
  });
  await server.restart();
  expect(await total()).toEqual(after);
});

/** The errors of the last 24 hours by status. */
async function errorsByStatus(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { status, requests } of (await read()).traffic.flatMap((hour) => hour.errorsByStatus))
    sums[status] = (sums[status] ?? 0) + requests;
  return sums;
}

/** Requests for a file and its bytes; undefined: it is not one of the most requested. */
async function requestsFor(id: string): Promise<readonly [number, number] | undefined> {
  const found = (await read()).mostRequested.files.find(({ file }) => file.id === id);
  return found && [found.requests, found.bytes];
}

test("counts errors by status", async () => {
  const folder = unique("statuses");
  const file = await a.put(`${folder}/public.txt`, "0123456789");
  const hidden = await a.put(`${folder}/private.txt`, "0123456789", { visibility: "private" });
  const before = await errorsByStatus();
  await send(server, "GET", `/${file.url}`, { Range: "bytes=20-" });
  await send(server, "GET", `/${file.url}`, { Range: "bytes=30-" });
  await send(server, "GET", `/${file.url}`, { "If-Match": '"other"' });
  await send(server, "GET", `/${hidden.url}`);
  await send(server, "GET", `/${hidden.url}.missing`);
  await send(server, "GET", `/api/files/download/${file.id}`);
  await send(server, "POST", `/${file.url}`);
  // No errors.
  await send(server, "GET", `/${file.url}`, { Range: "bytes=2-" });
  await send(server, "GET", `/${file.url}`, { "If-None-Match": "*" });
  const added = (await total()).errors;
  const after = await errorsByStatus();
  const difference = Object.keys(after).map((status) => [
    status,
    (after[status] ?? 0) - (before[status] ?? 0),
  ]);
  expect(Object.fromEntries(difference.filter(([, more]) => more !== 0))).toEqual({
    401: 1,
    404: 2,
    405: 1,
    412: 1,
    416: 2,
  });
  expect(Object.values(after).reduce((sum, each) => sum + each, 0)).toBe(added);
  await server.restart();
  expect(await errorsByStatus()).toEqual(after);
});

test("lists the files with the most requests, by their current names", async () => {
  const folder = unique("requested");
  const [often, rarely, hidden] = [
    await a.put(`${folder}/often.txt`, "0123456789"),
    await a.put(`${folder}/rarely.txt`, "01234"),
    await a.put(`${folder}/private.txt`, "0123", { visibility: "private" }),
  ];
  await send(server, "GET", `/${often.url}`);
  await send(server, "GET", `/${often.url}`, { Range: "bytes=0-3" });
  await send(server, "HEAD", `/${often.url}`);
  await send(server, "GET", `/${often.url}`, { "If-None-Match": "*" });
  // Counts for no file: it is an error.
  await send(server, "GET", `/${often.url}`, { Range: "bytes=20-" });
  await send(server, "GET", `/${hidden.url}`);
  // Archives count for no file.
  await a.json("POST", "/api/files/download", { ids: [often.id] });
  await a.get(`/api/files/download/${rarely.id}`);
  const signed = await a.json("POST", "/api/files/sign", { id: hidden.id });
  const { url } = expectData(signed, z.object({ url: z.string() }).loose());
  await send(server, "GET", `/${url.slice(url.indexOf("api/"))}`);
  await a.get(`/${hidden.url}`);
  expect(await requestsFor(often.id)).toEqual([4, 14]);
  expect(await requestsFor(rarely.id)).toEqual([1, 5]);
  expect(await requestsFor(hidden.id)).toEqual([2, 8]);
  const counts = (await read()).mostRequested.files.map(({ requests }) => requests);
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));

  await server.restart();
  await a.json("PUT", "/api/files", { id: often.id, name: "new.txt" });
  const { files } = (await read()).mostRequested;
  const found = files.find(({ file }) => file.id === often.id);
  expect(found).toMatchObject({ file: { key: `${folder}/new.txt` }, requests: 4, bytes: 14 });
  await a.json("DELETE", "/api/files", { id: often.id });
  await a.json("DELETE", "/api/files", { id: rarely.id, trash: true });
  expect(await requestsFor(often.id)).toBeUndefined();
  expect(await requestsFor(rarely.id)).toBeUndefined();
  expect(await requestsFor(hidden.id)).toEqual([2, 8]);
});

test("counts requests for files at links, but not for their pages", async () => {
  const folder = unique("linked");
  const file = await a.put(`${folder}/a.txt`, "0123456789");
  const made = await a.json("POST", "/api/links", { fileId: file.id });
  const { link } = expectData(made, z.object({ link: z.object({ url: z.string() }) }));
  const path = new URL(link.url, server.url).pathname;
  expect((await send(server, "GET", `${path}?download=1`)).status).toBe(200);
  expect((await send(server, "GET", path, { Accept: "text/html" })).status).toBe(200);
  expect(await requestsFor(file.id)).toEqual([1, 10]);
});

test("reports the traffic of a day, a week or a month without gaps", async () => {
  const [day, week, month] = [
    await read("?period=day"),
    await read("?period=week"),
    await read("?period=month"),
  ];
  const lengths = [day, week, month].map(({ traffic }) => traffic.length);
  expect(lengths).toEqual([24, 168, 30]);
  for (const [{ traffic }, step] of [
    [day, 3600],
    [week, 3600],
    [month, 86_400],
  ] as const) {
    const times = traffic.map(({ at }) => Date.parse(`${at.replace(" ", "T")}Z`) / 1000);
    for (const [index, time] of times.entries()) {
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBe(step);
    }
    expect(Date.now() / 1000 - (times.at(-1) ?? 0)).toBeLessThan(step + 60);
  }
});

test("rejects an unknown period with 400, and a request without credentials with 401", async () => {
  expectFault(await a.get("/api/overview?period=year"), 400, /period.*month/);
  expectFault(await send(server, "GET", "/api/overview"), 401);
});

test("counts only what is in the folder of a key, and nothing of the instance", async () => {
  const folder = unique("limited");
  const files = [await a.put(`${folder}/a.png`, "12"), await a.put(`${folder}/b/c.pdf`, "12345")];
  await a.put(`${folder}b/outside.png`, "x".repeat(100));
  const wanted = { name: "limited", actions: ["list"], folder };
  const { secret } = expectData(await a.json("POST", "/api/keys", wanted), newKeyData);
  const answer = await send(server, "GET", "/api/overview", { "API-Key": secret });
  const overview = expectData(answer, shape);
  expect(overview.storage).toEqual({
    used: 7,
    free: null,
    files: 2,
    folders: 1,
    trash: 0,
    versions: null,
  });
  expect(overview.types.filter((type) => type.files > 0)).toEqual([
    { type: "image", files: 1, bytes: 2 },
    { type: "document", files: 1, bytes: 5 },
  ]);
  expect([overview.largest, overview.newest]).toEqual([files.toReversed(), files.toReversed()]);
  expect(overview.traffic).toEqual([]);
  await send(server, "GET", `/${files[0]?.url}`);
  const again = await send(server, "GET", "/api/overview", { "API-Key": secret });
  expect(expectData(again, shape).mostRequested.files).toEqual([]);
});
