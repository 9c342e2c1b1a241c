import { afterAll, beforeAll, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { z } from "zod";
import { accessKeyIdOf } from "../server/semantics/s3-signature/credential.ts";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { createFeedTree, type TreeContent } from "./feed-tree.ts";
import { type Agent, connectAgent } from "./mcp-client.fixture.ts";
import { field, filePart } from "./multipart.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { newKeyData } from "./shapes.ts";

/** The files that an agent deletes, replaces, moves, publishes and hides. Set to 30000 for a long run. */
const FILES = Number(process.env.HOLDALL_TEST_FILES ?? 720);
/** The agent uses many files in one request where an API has such requests. */
const BATCH = 100;

const APIS = ["rest", "s3", "mcp"] as const;
const ACTS = ["deleted", "replaced", "moved", "shown"] as const;
const EACH = Math.ceil(FILES / APIS.length / ACTS.length);

const undone = z.object({ total: z.number(), conflicts: z.array(z.unknown()) });
const tried = z.object({ dryRun: undone.extend({ files: z.number() }) });
const anything = z.looseObject({});
const feedPage = z.looseObject({ cursor: z.string(), more: z.boolean() });

let server: S3TestServer;
beforeAll(async () => {
  server = await startS3Server({ TRASH_DAYS: "30" });
});
afterAll(() => server.discard());

const inBatches = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / BATCH) }, (_, at) =>
    names.slice(at * BATCH, (at + 1) * BATCH),
  );

const names = Array.from({ length: EACH }, (_, at) => `${String(at).padStart(6, "0")}.txt`);
const isPublic = (name: string): boolean => Number(name.slice(0, -4)) % 2 === 0;

/** Reads all files and folders as the API shows them. */
async function readTree(): Promise<TreeContent> {
  const a = api(server);
  const files = JSON.parse((await a.get("/api/files?orderBy=name")).text).data.files;
  const folders = [];
  for (let next: (string | null)[] = [null]; next.length > 0; ) {
    const found: string[] = [];
    for (const id of next) {
      const shown = JSON.parse((await a.get(`/api/folders${id ? `?id=${id}` : ""}`)).text).data;
      folders.push(shown.folder);
      found.push(...shown.folders.map((folder: { id: string }) => folder.id));
    }
    next = found;
  }
  return { files, folders };
}

/** Reads the state that the undo must restore. */
async function stateOf(folder: string) {
  const listed = await api(server).get("/api/files?include=digest&orderBy=name");
  const { files } = expectData(listed, z.object({ files: z.array(anything) }));
  return files
    .filter(({ key }) => String(key).startsWith(`${folder}/`))
    .map(({ id, key, name, folderId, size, mimeType, sha256, visibility }) => ({
      ...{ id: String(id), key: String(key), name, folderId },
      ...{ size, mimeType, sha256, visibility },
    }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** Follows the feed from a cursor, and returns the tree that a client would have. */
async function followFeed(start: TreeContent, from: string): Promise<TreeContent> {
  const tree = createFeedTree(start);
  for (let since = from, more = true; more; ) {
    const query = `limit=1000&since=${encodeURIComponent(since)}`;
    const { text } = await api(server).get(`/api/changes?${query}`);
    const page = feedPage.parse(JSON.parse(text).data);
    for (const change of JSON.parse(text).data.changes) tree.apply(change);
    ({ cursor: since, more } = page);
  }
  return tree.content();
}

const withoutTimes = ({ files, folders }: TreeContent) => [
  files
    .map(({ id, key, size, visibility, mimeType, folderId }) => ({
      ...{ id, key, size, visibility, mimeType, folderId },
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  folders
    .map(({ id, key }) => ({ id, key }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
];

/** Requests one file again and again while work is done. Returns the longest time of a response. */
async function longestWaitDuring(path: string, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const reader = (async () => {
    while (!isOver) {
      const from = performance.now();
      expect((await send(server, "GET", path)).status).toBe(200);
      longest = Math.max(longest, performance.now() - from);
      await Bun.sleep(5);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await reader;
  return Math.round(longest);
}

async function newAgent(folder: string) {
  const actions = ["list", "read", "write", "discard"];
  const body = { name: "agent", actions, folder };
  const { key, secret } = expectData(await api(server).json("POST", "/api/keys", body), newKeyData);
  const shown = await api(server).json("POST", "/api/keys/s3", { id: key.id });
  const { secretAccessKey } = expectData(shown, z.looseObject({ secretAccessKey: z.string() }));
  const accessKeyId = accessKeyIdOf(key.id);

  async function s3(method: string, path: string, headers: Record<string, string>, body?: string) {
    const sent = body === undefined ? {} : { body };
    const signer = new AwsV4Signer({
      ...{ method, url: `${server.url}/${path}`, service: "s3", region: "us-east-1" },
      ...{ accessKeyId, secretAccessKey, headers, ...sent },
    });
    const signed = await signer.sign();
    const answer = await fetch(signed.url, { method, headers: signed.headers, ...sent });
    expect([answer.status < 300, await answer.text()]).toEqual([true, expect.any(String)]);
  }
  const mcp = await connectAgent({ ...server, apiKey: secret }, "2026-07-28");
  return { rest: api({ ...server, apiKey: secret }), s3, mcp };
}

type Requests = Awaited<ReturnType<typeof newAgent>>;

async function actOverRest({ rest }: Requests, folder: string): Promise<void> {
  const ok = async (method: string, path: string, body: unknown) =>
    expect((await rest.json(method, path, body)).status).toBe(200);
  for (const some of inBatches(names)) {
    const keys = (act: string) => some.map((name) => `${folder}/${act}/${name}`);
    await ok("DELETE", "/api/files", { keys: keys("deleted") });
    const form = [field("folder", `${folder}/replaced`), field("onConflict", "replace")];
    const parts = some.map((name) => filePart(name, `taken over: ${name}`));
    expect((await rest.upload([...form, ...parts])).status).toBe(200);
  }
  for (const name of names) {
    const visibility = isPublic(name) ? "private" : "public";
    await ok("PUT", "/api/files", { key: `${folder}/shown/${name}`, visibility });
    const moved = { key: `${folder}/moved/${name}`, folder: `${folder}/away`, name: `m-${name}` };
    await ok("PUT", "/api/files", moved);
  }
}

/** Over S3, a move is a copy and a deletion. */
async function actOverS3({ s3 }: Requests, folder: string): Promise<void> {
  const [bucket, ...prefix] = folder.split("/");
  for (const some of inBatches(names)) {
    const objects = some.map(
      (name) => `<Object><Key>${prefix.join("/")}/deleted/${name}</Key></Object>`,
    );
    await s3("POST", `${bucket}?delete`, {}, `<Delete>${objects.join("")}</Delete>`);
  }
  for (const name of names) {
    await s3("PUT", `${folder}/replaced/${name}`, {}, `taken over: ${name}`);
    const source = { "x-amz-copy-source": `/${folder}/moved/${name}` };
    await s3("PUT", `${folder}/away/${name}`, source);
    await s3("DELETE", `${folder}/moved/${name}`, {});
    const acl = { "x-amz-acl": isPublic(name) ? "private" : "public-read" };
    await s3("PUT", `${folder}/shown/${name}?acl`, acl);
  }
}

/** No tool publishes or hides a file that exists, so these are replaced twice. */
async function actOverMcp({ mcp }: Requests, folder: string): Promise<void> {
  const write = (path: string, text: string) =>
    mcp.use("write_text", { path, text, onConflict: "replace" }, anything);
  for (const some of inBatches(names)) {
    const files = some.map((name) => `${folder}/deleted/${name}`);
    await mcp.use("delete", { files }, anything);
  }
  for (const name of names) {
    await write(`${folder}/replaced/${name}`, `taken over: ${name}`);
    await write(`${folder}/shown/${name}`, "taken over");
    await write(`${folder}/shown/${name}`, "and again");
    const to = `${folder}/away/m-${name}`;
    await mcp.use("move", { from: `${folder}/moved/${name}`, to }, anything);
  }
  // These folders contain everything that was replaced and moved before.
  await mcp.use("delete", { path: `${folder}/replaced` }, anything);
  await mcp.use("move", { from: `${folder}/away`, to: `${folder}/far` }, anything);
}

async function plant(folder: string): Promise<void> {
  const a = api(server);
  for (const part of APIS) {
    await a.folder(`${folder}/${part}/away`);
    for (const act of ACTS) {
      for (const some of inBatches(names)) {
        for (const visibility of ["public", "private"]) {
          const its = some.filter((name) => isPublic(name) === (visibility === "public"));
          const parts = its.map((name) => filePart(name, `${part} ${act} ${name}`));
          const place = [field("folder", `${folder}/${part}/${act}`)];
          const form = [...place, field("visibility", visibility), ...parts];
          if (its.length > 0) expect((await a.upload(form)).status).toBe(200);
        }
      }
    }
  }
}

const secondsSince = (from: number): string =>
  `${((performance.now() - from) / 1000).toFixed(1)} s`;

async function undoWith(mcp: Agent, since: string, slow: string): Promise<void> {
  const from = performance.now();
  const { dryRun } = await mcp.use("undo", { since, dryRun: true }, tried);
  const tryTime = secondsSince(from);
  let total = 0;
  const again = performance.now();
  const wait = await longestWaitDuring(slow, async () => {
    const result = await mcp.use("undo", { since }, undone);
    expect(result.conflicts).toEqual([]);
    ({ total } = result);
  });
  expect(dryRun).toMatchObject({ total, conflicts: [] });
  const time = secondsSince(again);
  console.error(
    `${total} changes: dry run ${tryTime}, undo ${time}; the longest wait of another was ${wait} ms.`,
  );
}

test(`one undo takes back what an agent did to ${FILES} files over REST, S3 and MCP`, async () => {
  const folder = unique("agents");
  const a = api(server);
  await plant(folder);
  const { url } = await a.put("beside.txt", "beside", { visibility: "public" });
  const before = await stateOf(folder);
  expect(before).toHaveLength(EACH * APIS.length * ACTS.length);
  const treeBefore = await readTree();
  const { cursor } = expectData(await a.get("/api/changes"), feedPage);

  const agent = await newAgent(folder);
  const since = new Date(Date.now() - 1000).toISOString();
  await Bun.sleep(1100);
  await actOverRest(agent, `${folder}/rest`);
  await actOverS3(agent, `${folder}/s3`);
  await actOverMcp(agent, `${folder}/mcp`);

  const after = await stateOf(folder);
  const untouched = new Set(before.map((file) => JSON.stringify(file)));
  expect(after.filter((file) => untouched.has(JSON.stringify(file)))).toEqual([]);
  await undoWith(agent.mcp, since, `/${url}`);
  const copies = after.filter(({ key }) => key.startsWith(`${folder}/s3/away/`));
  expect(copies).toHaveLength(EACH);
  const expected = [...before, ...copies].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  expect(await stateOf(folder)).toEqual(expected);

  const tree = await readTree();
  const followed = await followFeed(treeBefore, cursor);
  expect(withoutTimes(followed)).toEqual(withoutTimes(tree));
  const folderIds = (content: TreeContent) => withoutTimes(content)[1];
  expect(folderIds(tree)).toEqual(folderIds(treeBefore));
  const repeated = await agent.mcp.use("undo", { since }, undone);
  expect(repeated).toMatchObject({ total: 0, conflicts: [] });
  expect((await agent.mcp.refused("undo", { since: "2020-01-01T00:00:00Z" })).code).toBe("gone");
  await agent.mcp.close();
}, 3_600_000);
