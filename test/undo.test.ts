import { afterAll, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { Holdall } from "../sdk/src/holdall.ts";
import { undoOf } from "../sdk/src/undo.ts";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { field, filePart } from "./multipart.ts";
import { createS3Key, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { newKeyData } from "./shapes.ts";
import { trashApi } from "./trash-requests.ts";

/** `HOLDALL_TEST_FILES=30000` is the long form. */
const FILES = Number(process.env.HOLDALL_TEST_FILES ?? 3000);

const server = await startS3Server({
  RATE_LIMIT_API: "0",
  RATE_LIMIT_HOSTING: "0",
  MAX_DELETE_BATCH: "5000",
});
afterAll(() => server.discard());
const a = api(server);
const undo = undoOf(new Holdall({ url: server.url, apiKey: server.apiKey }));

async function newKey(actions: readonly string[], parent = server.apiKey) {
  const headers = { "API-Key": parent, "Content-Type": "application/json" };
  const body = JSON.stringify({ name: unique("agent"), actions });
  const answer = await send(server, "POST", "/api/keys", headers, body);
  const { key, secret } = expectData(answer, newKeyData);
  return { id: key.id, secret, t: trashApi(server, secret) };
}

const AGENT = ["list", "read", "write", "discard", "keys"];

/** Reads the state that the undo must restore: each file without its times, and the content of some. */
async function stateOf(folder: string) {
  const files = (await a.list("?orderBy=name")).filter(({ key }) => key.startsWith(`${folder}/`));
  const some = files.filter((_, at) => at % Math.ceil(files.length / 40) === 0);
  const contents: Record<string, string> = {};
  for (const { id, key } of some) contents[key] = (await a.get(`/api/files/download/${id}`)).text;
  const digests = new Map<string, string>();
  for (const { id, key } of some) {
    digests.set(key, JSON.parse((await a.get(`/api/files/digest?id=${id}`)).text).data.sha256);
  }
  const kept = files.map(({ id, key, size, visibility, mimeType }) => ({
    id,
    key,
    size,
    visibility,
    mimeType,
  }));
  kept.sort((one, other) => (one.key < other.key ? -1 : 1));
  return { kept, contents, digests: [...digests] };
}

async function sendS3(
  by: Awaited<ReturnType<typeof createS3Key>>,
  method: string,
  path: string,
  body?: string,
): Promise<void> {
  const url = `${server.url}/${path}`;
  const { accessKeyId, secretAccessKey } = by;
  const signer = new AwsV4Signer({
    method,
    url,
    service: "s3",
    region: "us-east-1",
    accessKeyId,
    secretAccessKey,
    ...(body === undefined ? {} : { body }),
  });
  const signed = await signer.sign();
  const sent = { method, headers: signed.headers, ...(body === undefined ? {} : { body }) };
  const answer = await fetch(signed.url, sent);
  expect([answer.status < 300, await answer.text()]).toEqual([true, expect.any(String)]);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const queue = [...items];
  const workers = Array.from({ length: 8 }, async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  });
  await Promise.all(workers);
}

const moment = (): string => new Date().toISOString();

test(`one undo takes back what an agent did to ${FILES} files over REST and S3`, async () => {
  const bucket = unique("agent");
  const names = Array.from({ length: FILES }, (_, at) => `${String(at).padStart(6, "0")}.txt`);
  const chunks: string[][] = [];
  for (let at = 0; at < names.length; at += 100) chunks.push(names.slice(at, at + 100));
  for (const [at, chunk] of chunks.entries()) {
    const visibility = at % 2 === 0 ? "public" : "private";
    const parts = chunk.map((name) => filePart(name, `content of ${name}`));
    await a.upload([
      field("folder", `${bucket}/d${at % 10}`),
      field("visibility", visibility),
      ...parts,
    ]);
  }
  await a.json("POST", "/api/folders", { folder: `${bucket}/elsewhere` });
  const before = await stateOf(bucket);
  expect(before.kept).toHaveLength(FILES);
  await Bun.sleep(20);
  const since = moment();

  const agent = await newKey(AGENT);
  const child = await newKey(["list", "write", "discard"], agent.secret);
  const overS3 = await createS3KeyOf(agent.secret);
  const ids = before.kept.map(({ id }) => id);
  const quarter = Math.floor(FILES / 4);
  // Replaces some over both interfaces.
  const replaced = before.kept.slice(0, Math.min(quarter, 600));
  await inParallel(replaced, async ({ key }) => {
    const at = Number(key.slice(-10, -4));
    if (at % 2 === 0) await sendS3(overS3, "PUT", key, "taken over");
    else {
      const path = `/api/files/content?key=${key}`;
      await send(server, "PUT", path, { "API-Key": child.secret }, "taken over");
    }
  });
  const elsewhere = JSON.parse((await a.get(`/api/folders?key=${bucket}/elsewhere`)).text);
  const move = { ids: ids.slice(0, Math.min(quarter, 5000)), folderId: elsewhere.data.folder.id };
  expect((await agent.t.json("PUT", "/api/files", move)).status).toBe(200);
  const publish = {
    ids: ids.slice(quarter, quarter + Math.min(quarter, 5000)),
    visibility: "public",
  };
  expect((await child.t.json("PUT", "/api/files", publish)).status).toBe(200);
  await agent.t.json("PUT", "/api/folders", { key: `${bucket}/d3`, name: "renamed" });
  await agent.t.json("PUT", "/api/folders", { key: `${bucket}/d4`, visibility: "private" });
  const first = before.kept[0];
  const headers = { id: first?.id, metadata: { cacheControl: "no-store", "x-evil": "1" } };
  expect((await agent.t.json("PUT", "/api/files", headers)).status).toBe(200);
  // Deletes everything, a part one by one over S3.
  const left = (await a.list("?orderBy=name")).filter(({ key }) => key.startsWith(`${bucket}/`));
  const byS3 = left.slice(0, Math.min(left.length, 1000));
  await inParallel(byS3, ({ key }) => sendS3(overS3, "DELETE", key));
  for (let at = byS3.length; at < left.length; at += 1000) {
    const some = left.slice(at, at + 1000).map(({ id }) => id);
    await agent.t.json("DELETE", "/api/files", { ids: some });
  }
  expect((await stateOf(bucket)).kept).toHaveLength(0);
  // The key is revoked first, as one would.
  await a.json("DELETE", "/api/keys", { id: agent.id });

  const started = performance.now();
  const preview = await undo.preview({ by: agent.id, since, folder: bucket });
  expect((await stateOf(bucket)).kept).toHaveLength(0);
  const result = await undo.run({ by: agent.id, since, folder: bucket });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.error(`${FILES} files: a preview and an undo took ${seconds} s.`);
  expect(result.conflicts).toEqual([]);
  expect(preview.total).toBe(result.total);
  expect(preview.conflicts).toEqual([]);
  expect(await stateOf(bucket)).toEqual(before);
  const shown = await a.get(`/api/files/metadata?id=${first?.id}`);
  expect(shown.text).not.toContain("evil");
  expect(await undo.run({ by: agent.id, since, folder: bucket })).toMatchObject({
    total: 0,
    conflicts: [],
  });
}, 3_600_000);

async function createS3KeyOf(secret: string) {
  const { url } = server;
  return createS3Key({ ...server, url, apiKey: secret }, { actions: ["list", "write", "discard"] });
}

describe("an undo", () => {
  test("by a key is of its own changes and of keys that it has made; others need `admin`", async () => {
    const folder = unique("own");
    const [one, two] = [await a.put(`${folder}/a`, "1"), await a.put(`${folder}/b`, "2")];
    const since = moment();
    const parent = await newKey(AGENT);
    const child = await newKey(["write", "discard"], parent.secret);
    await child.t.json("DELETE", "/api/files", { id: one.id });
    await a.json("DELETE", "/api/files", { id: two.id, trash: true });
    const me = JSON.parse((await a.get("/api/keys")).text).data.keys.find(
      ({ name }: { name: string }) => name === "initial",
    );
    for (const [key, by] of [
      [child, parent.id],
      [parent, me?.id ?? "somebody"],
    ] as const) {
      expectFault(await key.t.json("POST", "/api/undo", { by, since }), 403, /admin/);
    }
    const reader = await newKey(["list", "read"]);
    expectFault(await reader.t.json("POST", "/api/undo", { by: reader.id, since }), 403);
    const answer = await parent.t.json("POST", "/api/undo", { by: child.id, since });
    expect(JSON.parse(answer.text).data.total).toBe(1);
    expect((await a.get(`/api/files?id=${one.id}`)).status).toBe(200);
    expect((await a.get(`/api/files?id=${two.id}`)).status).toBe(404);
  });

  test("of deletions is also a restore from the trash", async () => {
    const folder = unique("restore");
    const file = await a.put(`${folder}/a.txt`, "1");
    const other = await a.put(`${folder}/b.txt`, "1");
    const since = moment();
    const agent = await newKey(AGENT);
    await agent.t.json("DELETE", "/api/files", { id: file.id });
    await agent.t.json("PUT", "/api/files", { id: other.id, name: "c.txt" });
    const t = trashApi(server);
    const { restored } = await t.restore({ by: agent.id, since, folder });
    expect(restored).toEqual([
      { id: file.id, kind: "file", key: `${folder}/a.txt`, renamed: false },
    ]);
    expect((await a.get(`/api/files?key=${folder}/c.txt`)).status).toBe(200);
  });

  test("reaches back as far as the trash, and checks its fields", async () => {
    const base = { by: "nobody", since: moment() };
    const wrong: [object, number][] = [
      [{ ...base, since: new Date(Date.now() - 31 * 86_400_000).toISOString() }, 410],
      [{ ...base, since: new Date(Date.now() + 60_000).toISOString() }, 400],
      [{ ...base, until: new Date(Date.now() - 60_000).toISOString() }, 400],
      [{ by: "nobody" }, 400],
      [{ since: base.since }, 400],
      [{ ...base, folder: "" }, 400],
      [{ ...base, folders: "x" }, 400],
      [{ ...base, folder: "not/there" }, 404],
    ];
    for (const [body, status] of wrong) {
      expectFault(await a.json("POST", "/api/undo", body), status);
    }
    for (const body of [{ by: "x" }, { undoId: "x", since: base.since }, { ...base, ids: ["x"] }]) {
      expectFault(await a.json("POST", "/api/trash/restore", body), 400);
    }
    expect((await a.json("POST", "/api/undo", base)).status).toBe(200);
  });
});
