import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { keyTraffic } from "../contract/objects/keys.ts";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { rawRequest } from "./raw.ts";
import { createS3Key, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { bytesOf, type Draft, signHeader } from "./s3-api/sign-request.ts";
import { newKeyData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);
const requestedFiles = z
  .object({ mostRequested: z.object({ files: z.array(z.unknown()) }).loose() })
  .loose();
const shape = z.strictObject({ since: z.string(), keys: z.array(keyTraffic) });

async function newKey(rights: Record<string, unknown> = {}, as = a) {
  const body = { name: unique("key"), ...rights };
  return expectData(await as.json("POST", "/api/keys", body), newKeyData);
}

async function trafficOf(id: string, as = a) {
  const { keys } = expectData(await as.get("/api/keys/traffic"), shape);
  const found = keys.find((key) => key.id === id);
  return found && [found.requests, found.bytes, found.errors];
}

test("counts the requests of each key, their bytes and their errors", async () => {
  const { key, secret } = await newKey();
  expect(await trafficOf(key.id)).toBeUndefined();
  const as = api({ ...server, apiKey: secret });
  const file = await as.put(unique("counted"), "0123456789", { visibility: "private" });
  expect(await trafficOf(key.id)).toEqual([1, 0, 0]);
  await send(server, "GET", `/${file.url}`, { "API-Key": secret });
  await as.get(`/api/files/download/${file.id}`);
  await as.get("/api/files?id=nothing");
  expect(await trafficOf(key.id)).toEqual([4, 20, 1]);
  // Without the key, nothing is counted for it.
  await send(server, "GET", `/${file.url}`);
  await send(server, "GET", "/api/files", { "API-Key": `${secret}x` });
  expect(await trafficOf(key.id)).toEqual([4, 20, 1]);
});

test("counts requests of the S3 API", async () => {
  const s3 = await startS3Server();
  try {
    const key = await createS3Key(s3, {});
    await api(s3).folder("counted");
    const request = (method: string, path: string, body = "") => {
      const headers = { host: `127.0.0.1:${s3.port}` };
      const draft: Draft = { method, path, query: "", body: Buffer.from(body), headers };
      return rawRequest(s3.port, bytesOf(signHeader(draft, key)));
    };
    await request("PUT", "/counted/a.txt", "0123456789");
    await request("GET", "/counted/a.txt");
    await request("GET", "/counted/missing.txt");
    expect(await trafficOf(key.id, api(s3))).toEqual([3, 10, 1]);
    const { mostRequested } = expectData(await api(s3).get("/api/overview"), requestedFiles);
    expect(mostRequested.files).toMatchObject([
      { file: { key: "counted/a.txt" }, requests: 1, bytes: 10 },
    ]);
  } finally {
    await s3.discard();
  }
});

test("a key with limits sees only the keys that descend from it", async () => {
  const parent = await newKey({ actions: ["list", "keys"] });
  const other = await newKey();
  const as = api({ ...server, apiKey: parent.secret });
  const child = await newKey({}, as);
  for (const { secret } of [child, other]) await api({ ...server, apiKey: secret }).list();
  expect(await trafficOf(child.key.id, as)).toEqual([1, 0, 0]);
  expect(await trafficOf(other.key.id, as)).toBeUndefined();
  expect(await trafficOf(other.key.id)).toEqual([1, 0, 0]);
  await a.json("DELETE", "/api/keys", { id: other.key.id });
  expect(await trafficOf(other.key.id)).toBeUndefined();
});
