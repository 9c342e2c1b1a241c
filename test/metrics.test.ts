import { afterAll, beforeAll, expect, test } from "bun:test";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { run } from "./harness.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { isOnDisk } from "./test-stores.ts";

const CLIENT_REQUESTS = 40;

let server: S3TestServer;
let metricsUrl: string;

beforeAll(async () => {
  const address = `127.0.0.1:${await freePort()}`;
  metricsUrl = `http://${address}/metrics`;
  server = await startS3Server({
    METRICS_ADDRESS: address,
    ACCESS_LOG: "true",
    WORKERS: "2",
    OUTGOING_ALLOW: "127.0.0.1",
  });
});
afterAll(() => server.discard());

/** Each sample by its name with labels. */
async function read(): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const requests = (route: string, status: number): string =>
  `http_server_request_duration_seconds_count{http_route="${route}",http_response_status_code="${status}"}`;

test("requests of all workers are counted by operation and status", async () => {
  const file = await api(server).put("counted/a.txt", "1234567890");
  const before = await read();
  // Each on a connection of its own, so that both workers get some.
  const headers = { Connection: "close" };
  for (let sent = 0; sent < CLIENT_REQUESTS; sent += 1) {
    await send(server, "GET", `/${file.url}`, headers);
    await send(server, "GET", "/api/hosting/counted/none.txt", headers);
    await send(server, "GET", "/api/files?limit=1", { ...headers, "API-Key": "wrong" });
  }
  const after = await read();
  const added = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(added(requests("hostFile", 200))).toBe(CLIENT_REQUESTS);
  expect(added(requests("hostFile", 404))).toBe(CLIENT_REQUESTS);
  expect(added(requests("listFiles", 401))).toBe(CLIENT_REQUESTS);
  expect(added("holdall_sent_bytes_total")).toBe(CLIENT_REQUESTS * 10);
  expect(after.get("http_server_active_requests")).toBe(0);
});

const CHANGES = "holdall_change_duration_seconds";
const FSYNCS = "holdall_fsync_duration_seconds";

test("changes and fsyncs are measured, and lookups in caches counted, in all workers", async () => {
  const before = await read();
  const headers = { Connection: "close", "API-Key": server.apiKey };
  const uploads = 12;
  const { url } = await api(server).put("cached/a.txt", "cached");
  for (let sent = 1; sent < uploads; sent += 1) {
    const path = `/api/files/content?key=cached/${sent}.txt`;
    expect((await send(server, "PUT", path, headers, "stored")).status).toBe(201);
  }
  for (let sent = 0; sent < CLIENT_REQUESTS; sent += 1) {
    await send(server, "GET", `/${url}`, { Connection: "close" });
  }
  const after = await read();
  const added = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(added(`${CHANGES}_count`)).toBeGreaterThanOrEqual(uploads);
  expect(added(`${CHANGES}_bucket{le="+Inf"}`)).toBe(added(`${CHANGES}_count`));
  expect(added(`${CHANGES}_sum`)).toBeGreaterThan(0);
  if (isOnDisk) {
    expect(added(`${FSYNCS}_count`)).toBeGreaterThanOrEqual(uploads);
    const hits = added('holdall_cache_hits_total{cache="files"}');
    const misses = added('holdall_cache_misses_total{cache="files"}');
    expect(hits).toBeGreaterThan(0);
    expect(misses).toBeGreaterThan(0);
    expect(hits + misses).toBeGreaterThanOrEqual(CLIENT_REQUESTS);
  }
  expect(added('holdall_cache_hits_total{cache="contents"}')).toBeGreaterThan(0);
});

test("events that wait for the receiver of a webhook are counted", async () => {
  const waiting = (state: string): Promise<number | undefined> =>
    read().then((samples) => samples.get(`holdall_webhook_events_waiting{state="${state}"}`));
  expect([await waiting("active"), await waiting("paused")]).toEqual([0, 0]);
  // Nothing listens there.
  const url = `http://127.0.0.1:${await freePort()}/`;
  const made = await api(server).json("POST", "/api/webhooks", { name: "waiting", url });
  expect(made.status, made.text).toBe(200);
  for (const name of ["a", "b", "c"]) await api(server).put(`waiting/${name}.txt`, name);
  await eventually("three events wait", async () => ((await waiting("active")) ?? 0) >= 3);
  expect(await waiting("paused")).toBe(0);
});

test("requests of the S3 API and of links have names without their paths", async () => {
  const { url: endpoint, credentials } = server;
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "measured" }));
  await client.send(new PutObjectCommand({ Bucket: "measured", Key: "deep/b.txt", Body: "b" }));
  await send(server, "GET", "/s/no-such-token");
  await send(server, "GET", "/no/such/page");
  const names = [...(await read()).keys()].join("\n");
  for (const route of ["s3.bucket.PUT", "s3.object.PUT", "link", "unknown"]) {
    expect(names).toContain(`http_route="${route}"`);
  }
  expect(names).not.toContain("no-such-token");
});

test("figures of the instance, and of the folders in the root", async () => {
  const samples = await read();
  expect(samples.get('holdall_up{part="catalog"}')).toBe(1);
  expect(samples.get("holdall_workers")).toBe(2);
  expect(samples.get('holdall_folder_bytes{folder="counted"}')).toBe(10);
  expect(samples.get("holdall_open_uploads")).toBe(0);
  expect([...samples.keys()].some((name) => name.startsWith("holdall_build_info{"))).toBe(true);
  expect([...samples.values()].every(Number.isFinite)).toBe(true);
});

const accessEntries = () =>
  server
    .output()
    .split("\n")
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line));

/** The first entry with these fields, once it is there. */
async function accessEntry(what: string, fields: Record<string, unknown>) {
  const find = () => accessEntries().find((entry) => Bun.deepMatch(fields, entry));
  await eventually(what, () => find() !== undefined);
  return find();
}

test("each request is a line of JSON without secrets", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const path = "/api/hosting/~secrettoken/a.txt?sig=secretsignature";
  await send(server, "GET", path, { traceparent });
  await api(server).get("/api/files?limit=1");
  expect(await accessEntry("the hosted file", { traceparent })).toMatchObject({
    route: "hostFile",
    path: "/api/hosting/~…/a.txt",
    status: 404,
    client: "127.0.0.1",
  });
  expect(await accessEntry("the list", { route: "listFiles", status: 200 })).toMatchObject({
    method: "GET",
    path: "/api/files",
    keyId: expect.any(String),
    requestId: expect.stringMatching(/^[0-9A-F]{16}$/),
  });
  expect(server.output()).not.toMatch(/secrettoken|secretsignature/);
});

test.each([
  ["no trace context", "secret-note"],
  ["one with more behind it", `00-${"a".repeat(32)}-${"b".repeat(16)}-01-${"c".repeat(5000)}`],
])("a line does not have what a client sends as `traceparent`: %s", async (what, traceparent) => {
  const path = `/api/hosting/traced/${encodeURIComponent(what)}`;
  await send(server, "GET", path, { traceparent });
  expect(await accessEntry("the hosted file", { path })).toMatchObject({ traceparent: null });
});

test("an address that another program uses is refused at the start", async () => {
  const env = { PORT: "0", HOST: "127.0.0.1", METRICS_ADDRESS: new URL(metricsUrl).host };
  const { code, stderr } = await run(["serve"], { ...env, DATA_PATH: `${server.dataPath}-other` });
  expect(code).toBe(1);
  expect(stderr).toContain("METRICS_ADDRESS");
});
