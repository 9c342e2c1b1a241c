import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { Client } from "pg";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import {
  createPostmaster,
  createStandby,
  type Postmaster,
} from "../server/catalog/postgres/postmaster.fixture.ts";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { type Call, operationCalls } from "./operation-calls.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { administrator, fromPage, signIn, trySignIn } from "./session.ts";
import { type Switch, startSwitch } from "./switch.fixture.ts";
import { append, BYTES, createAsTus, createUpload, metadataOf, stateOf } from "./upload-url.ts";

/*
 * PostgreSQL fails over to a standby that still follows a primary: the address of the database leads to a server
 * in recovery, as during a switch-over with a virtual address or DNS.
 */

let primary: Postmaster;
let standby: Postmaster;
let database: Switch;
let server: S3TestServer;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdall-standby-"));
  // As root, the database runs as another user.
  chmodSync(folder, 0o755);
  const [first, second] = [join(folder, "primary"), join(folder, "standby")];
  for (const each of [first, second]) mkdirSync(each);
  primary = await createPostmaster(first, ["synchronous_standby_names=standby"]);
  standby = await createStandby(primary, first, second);
  await primary.start();
  await standby.start();
  // What a commit has written must be visible on the standby.
  await run(primary, "alter system set synchronous_commit = remote_apply");
  await run(primary, "select pg_reload_conf()");
  database = await startSwitch(primary.port);
  const url = new URL(primary.url);
  url.port = String(database.port);
  server = await startS3Server({
    DATABASE_URL: url.href,
    KEEP_VERSIONS: "true",
    FETCH_BY_KEYS: "true",
    RATE_LIMIT_API: "0",
    RATE_LIMIT_HOSTING: "0",
    ...administrator,
  });
}, 120_000);
afterAll(async () => {
  await server.discard();
  database.close();
  await standby.stop("immediate");
  await primary.stop("immediate");
});

async function run({ url }: Postmaster, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Operations that are not GET and do not change the catalog. */
const READING = new Set([
  ...["signFile", "signFolder", "downloadFiles", "revealS3Credentials", "startScrub"],
]);

const s3 = async (method: string, path: string, headers: HeaderPairs = {}, body?: string) => {
  const sent = body === undefined ? {} : { body };
  const signed = await new AwsV4Signer({
    ...{ method, url: `${server.url}/${path}`, service: "s3", region: "us-east-1" },
    ...{ ...server.credentials, headers, ...sent },
  }).sign();
  return fetch(signed.url, { method, headers: signed.headers, ...sent });
};

test("while the database is a standby, changes get 503 and reads are served", async () => {
  const calls: [Operation, Call][] = [];
  for (const [id, call] of Object.entries(operationCalls(server))) {
    const operation = Object.values<Operation>(operations).find((each) => each.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}`);
    calls.push([operation, await call()]);
  }
  const folder = unique("standby");
  const file = await api(server).put(`${folder}/a.txt`, "content");
  const cookie = await signIn(server);
  const counted = JSON.parse(
    (await api(server).json("POST", "/api/links", { fileId: file.id, uses: 3 })).text,
  ).data.link;
  const upload = await createUpload(server, { folder, name: "b.bin", size: 6 });
  expect((await append(server, upload, 0, "abc")).status).toBe(204);
  const from = server.output().length;
  const since = performance.now();
  database.to(standby.port);

  const isReady = async () => (await send(server, "GET", "/api/health/ready")).status === 200;
  await eventually("the server is not ready", async () => !(await isReady()));
  const wrong: string[] = [];
  for (const [{ id, method }, { path, body, contentType }] of calls) {
    const headers = contentType === undefined ? {} : { "Content-Type": contentType };
    const answer = await send(server, method, path, { "API-Key": server.apiKey, ...headers }, body);
    const isRead = method === "GET" || READING.has(id);
    const isRight = isRead
      ? answer.status < 400
      : answer.status === 503 && Number(answer.header("retry-after")) > 0;
    if (!isRight) wrong.push(`${id}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);

  const currentPassword = administrator.ADMIN_PASSWORD;
  for (const [method, path, body] of [
    ["POST", "/auth/sign-in", { email: administrator.ADMIN_EMAIL, password: currentPassword }],
    ["POST", "/auth/sign-out", undefined],
    ["DELETE", "/auth/sessions", { others: true }],
    ["PUT", "/auth/email", { email: "eve@example.com", currentPassword }],
    ["PUT", "/auth/password", { newPassword: "another long password", currentPassword }],
  ] as const) {
    const answer = await fromPage(server, method, path, cookie, body);
    expectFault(answer, 503, /read-only/);
    expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
  }
  // A wrong password still gets 401, and sessions go on.
  expectFault(await trySignIn(server, administrator.ADMIN_EMAIL, "a guess"), 401);
  expect((await fromPage(server, "GET", "/auth/session", cookie)).status).toBe(200);
  const visit = await send(server, "GET", `/${counted.url}?download=1`);
  expect([visit.status, Number(visit.header("retry-after")) > 0]).toEqual([503, true]);

  // tus and S3 change the catalog in their own ways.
  expect((await stateOf(server, upload)).header("upload-offset")).toBe("3");
  expectFault(await append(server, upload, 3, "def"), 503);
  const named = { "Upload-Length": "3", ...metadataOf({ filename: "c", folder }) };
  expect((await createAsTus(server, named)).status).toBe(503);
  expect((await createAsTus(server, { ...named, ...BYTES }, "abc")).status).toBe(503);
  expect((await send(server, "DELETE", upload, { "Tus-Resumable": "1.0.0" })).status).toBe(503);
  expect(await (await s3("GET", `${folder}/a.txt`)).text()).toBe("content");
  expect((await s3("GET", `${folder}?list-type=2`)).status).toBe(200);
  const changes: [string, string, HeaderPairs, string?][] = [
    ["PUT", `${folder}/new.txt`, {}, "x"],
    ["PUT", `${folder}/copy.txt`, { "x-amz-copy-source": `/${folder}/a.txt` }],
    ["DELETE", `${folder}/a.txt`, {}],
    ["POST", `${folder}?delete`, {}, "<Delete><Object><Key>a.txt</Key></Object></Delete>"],
    ["POST", `${folder}/big.bin?uploads`, {}],
    ["PUT", unique("bucket"), {}],
  ];
  for (const [method, path, headers, body] of changes) {
    const answer = await s3(method, path, headers, body);
    const text = await answer.text();
    expect([path, answer.status, text]).toEqual([path, 503, expect.any(String)]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const hosted = await send(server, "GET", `/${file.url}`);
  expect([hosted.status, hosted.text]).toEqual([200, "content"]);
  expect(await isReady()).toBe(false);

  const said = server.output().slice(from);
  const lines = said.split("\n").filter((line) => /"level":"?(warn|error|[45]0)/.test(line));
  const minutes = Math.ceil((performance.now() - since) / 60_000);
  expect(lines.filter((line) => line.includes("read-only")).length).toBeWithin(1, minutes + 1);
  expect(lines.filter((line) => !line.includes("read-only"))).toEqual([]);

  await run(standby, "alter system set synchronous_standby_names = ''");
  await run(standby, "select pg_promote()");
  await eventually("the server is ready again", isReady);
  expect((await append(server, upload, 3, "def")).status).toBe(204);
  expect((await api(server).get(`/api/files?key=${folder}/a.txt`)).status).toBe(200);
  expect((await send(server, "GET", `/api/hosting/${folder}/b.bin`)).text).toBe("abcdef");
}, 180_000);
