import { afterAll, beforeAll, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { z } from "zod";
import { accessKeyIdOf } from "../server/semantics/s3-signature/access-key-id.ts";
import { api, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { connectAgent } from "./mcp-client.fixture.ts";
import { field, filePart } from "./multipart.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { filesData, newKeyData } from "./shapes.ts";

/** Files that an agent deletes over each API. `HOLDALL_UNDO_FILES=30000`: the long form, by hand. */
const EACH = Math.ceil(Number(process.env.HOLDALL_UNDO_FILES ?? 600) / 3);
/** The agent deletes this many files with one call. */
const BATCH = 100;

const undone = z.object({ total: z.number(), conflicts: z.array(z.unknown()) });
const tried = z.object({ dryRun: z.looseObject({ total: z.number() }) });
const anything = z.looseObject({});

let server: S3TestServer;
beforeAll(async () => {
  server = await startS3Server({ TRASH_DAYS: "30" });
});
afterAll(() => server.discard());

const byHundreds = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / BATCH) }, (_, at) =>
    names.slice(at * BATCH, (at + 1) * BATCH),
  );

/** Reads the state that the undo must restore: ids, keys, digests and visibility. */
async function stateOf(folder: string) {
  const listed = await api(server).get("/api/files?include=digest&orderBy=name");
  const { files } = expectData(listed, z.object({ files: z.array(anything) }));
  return files
    .filter(({ key }) => String(key).startsWith(`${folder}/`))
    .map(({ id, key, sha256, visibility }) => ({ id, key: String(key), sha256, visibility }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

test("what an agent deletes and changes over all APIs is undone by one call over MCP", async () => {
  const folder = unique("agents");
  const a = api(server);
  const names = Array.from({ length: EACH }, (_, at) => `${at}.txt`);
  const keysIn = (part: string) => names.map((name) => `${folder}/${part}/${name}`);
  for (const part of ["rest", "s3", "mcp", "kept"]) {
    for (const some of byHundreds(part === "kept" ? names.slice(0, 3) : names)) {
      const parts = some.map((name) => filePart(name, `${part} ${name}`));
      expectData(await a.upload([field("folder", `${folder}/${part}`), ...parts]), filesData);
    }
  }
  const before = await stateOf(folder);
  expect(before).toHaveLength(3 * EACH + Math.min(3, EACH));

  const actions = ["list", "read", "write", "discard"];
  const body = { name: "agent", actions, folder };
  const { key, secret } = expectData(await a.json("POST", "/api/keys", body), newKeyData);
  const shown = await a.json("POST", "/api/keys/s3", { id: key.id });
  const { secretAccessKey } = expectData(shown, z.looseObject({ secretAccessKey: z.string() }));
  const agent = await connectAgent({ ...server, apiKey: secret }, "2026-07-28");
  const since = new Date(Date.now() - 1000).toISOString();
  await Bun.sleep(1100);

  const rest = api({ ...server, apiKey: secret });
  for (const keys of byHundreds(keysIn("rest"))) await rest.json("DELETE", "/api/files", { keys });
  for (const path of keysIn("s3")) {
    const signer = new AwsV4Signer({
      method: "DELETE",
      url: `${server.url}/${path}`,
      service: "s3",
      region: "us-east-1",
      accessKeyId: accessKeyIdOf(key.id),
      secretAccessKey,
    });
    const { url, headers } = await signer.sign();
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(204);
  }
  for (const files of byHundreds(keysIn("mcp"))) await agent.use("delete", { files }, anything);
  const kept = `${folder}/kept`;
  await agent.use("move", { from: `${kept}/0.txt`, to: `${kept}/moved.txt` }, anything);
  const replacement = { path: `${kept}/1.txt`, text: "replaced", onConflict: "replace" };
  await agent.use("write_text", replacement, anything);
  await agent.use("delete", { path: kept }, anything);
  expect(await stateOf(folder)).toEqual([]);

  // Nothing of others can be undone, and nothing is when it is only tried.
  const { dryRun } = await agent.use("undo", { since, dryRun: true }, tried);
  expect(dryRun.total).toBeGreaterThan(0);
  expect(await stateOf(folder)).toEqual([]);
  const { total, conflicts } = await agent.use("undo", { since }, undone);
  expect(total).toBeGreaterThan(3 * EACH);
  expect(conflicts).toEqual([]);
  expect(await stateOf(folder)).toEqual(before);
  expect((await agent.refused("undo", { since: "2020-01-01T00:00:00Z" })).code).toBe("gone");
  await agent.close();
}, 3_600_000);
