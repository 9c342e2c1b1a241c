import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { keysData, newKeyData } from "./shapes.ts";
import { withServer } from "./with-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.discard());

const as = (apiKey: string, on = server) => api({ url: on.url, apiKey });

async function create(body: object = {}, secret = server.apiKey, on = server) {
  const answer = await as(secret, on).json("POST", "/api/keys", { name: unique("key"), ...body });
  return expectData(answer, newKeyData);
}

const tryRotate = (id: string, body: object = {}, secret = server.apiKey, on = server) =>
  as(secret, on).json("POST", "/api/keys/rotate", { id, ...body });

const rotate = async (...parameters: Parameters<typeof tryRotate>) =>
  expectData(await tryRotate(...parameters), newKeyData);

const statusOf = async (secret: string, on = server): Promise<number> =>
  (await send(on, "GET", "/api/files?limit=1", { "API-Key": secret })).status;

describe("a rotated key", () => {
  test("has a new secret, and everything else as before; the old secret ends at once", async () => {
    const { key, secret } = await create({ actions: ["list", "keys"], expiresIn: 3600 });
    const child = await create({}, secret);
    const rotated = await rotate(key.id);
    expect(rotated.secret).toMatch(/^hd_[0-9A-Za-z]{43}$/);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.key).toEqual({
      ...key,
      prefix: rotated.secret.slice(0, 8),
      lastUsedAt: rotated.key.lastUsedAt,
    });
    expect(
      await Promise.all([secret, rotated.secret, child.secret].map((s) => statusOf(s))),
    ).toEqual([401, 200, 200]);
  });

  test("keeps its old secret for a while, until it is rotated again", async () => {
    const { key, secret } = await create({ actions: ["list"] });
    const second = await rotate(key.id, { oldSecretExpiresIn: 600 });
    expect(second.key.oldSecretExpiresAt).toBeString();
    expect([await statusOf(secret), await statusOf(second.secret)]).toEqual([200, 200]);
    const { keys } = expectData(await api(server).get("/api/keys"), keysData);
    const listed = keys.find(({ id }) => id === key.id);
    expect(listed?.oldSecretExpiresAt).toBe(second.key.oldSecretExpiresAt);

    const third = await rotate(key.id, { oldSecretExpiresIn: 1 });
    expect(await statusOf(secret)).toBe(401);
    expect(await statusOf(third.secret)).toBe(200);
    await eventually("the old secret expires", async () => (await statusOf(second.secret)) !== 200);
    const after = expectData(await api(server).get("/api/keys"), keysData).keys;
    expect(after.find(({ id }) => id === key.id)?.oldSecretExpiresAt).toBeNull();
  });

  test("keeps its open uploads and their URLs", async () => {
    const { key, secret } = await create({ actions: ["write"] });
    const body = { folder: unique("up"), name: "a.txt", size: 3 };
    const made = await as(secret).json("POST", "/api/uploads", body);
    expect(made.status).toBe(201);
    const location = new URL(made.header("location") ?? "", server.url).pathname;
    await rotate(key.id);
    const head = await send(server, "HEAD", location, { "Tus-Resumable": "1.0.0" });
    expect([head.status, head.header("upload-offset")]).toEqual([200, "0"]);
  });

  test("appears in the activity log without its secrets", async () => {
    const { key, secret } = await create();
    const rotated = await rotate(key.id, { oldSecretExpiresIn: 60 });
    let log = "";
    await eventually("the rotation is recorded", async () => {
      log = (await api(server).get("/api/activity?limit=50&action=rotateKey")).text;
      return log.includes(key.id);
    });
    expect(log).toContain(key.name);
    expect(log).toContain(`"oldSecretExpiresAt":"${rotated.key.oldSecretExpiresAt}"`);
    for (const each of [secret, rotated.secret]) expect(log).not.toContain(each);
  });
});

describe("a rotation is refused", () => {
  test.each([
    [{}, 400],
    [{ id: "nope" }, 404],
    [{ id: "nope", oldSecretExpiresIn: -1 }, 400],
    [{ id: "nope", oldSecretExpiresIn: 604_801 }, 400],
    [{ id: "nope", oldSecretExpiresIn: "1h" }, 400],
  ])("with %j: %d", async (body, status) => {
    expectFault(await api(server).json("POST", "/api/keys/rotate", body), status);
  });

  test("for keys that the caller may not manage, and for longer-lived ones", async () => {
    const parent = await create({ actions: ["list", "keys"] });
    const child = await create({}, parent.secret);
    const other = await create({ actions: ["list"] });
    for (const { key } of [parent, other]) {
      expectFault(await tryRotate(key.id, {}, parent.secret), 404);
    }
    const renewed = await rotate(child.key.id, {}, parent.secret);
    expect(await statusOf(renewed.secret)).toBe(200);
    const lister = await create({ actions: ["list"] });
    expectFault(await tryRotate(other.key.id, {}, lister.secret), 403);

    const brief = await create({ actions: ["admin"], expiresIn: 600 });
    expectFault(await tryRotate(other.key.id, {}, brief.secret), 403, /expires at/);
    const briefer = await create({ actions: ["list"], expiresIn: 300 });
    await rotate(briefer.key.id, {}, brief.secret);
  });

  test("for an expired key", async () => {
    const { key, secret } = await create({ expiresIn: 1 });
    await eventually("it expires", async () => (await statusOf(secret)) !== 200);
    expectFault(await tryRotate(key.id), 409, /has expired/);
  });
});

test("a key that expires sees no S3 credentials of a key that is valid longer", async () => {
  const brief = await create({ actions: ["admin"], expiresIn: 600 });
  const { key } = await create({ actions: ["list"] });
  const briefer = await create({ actions: ["list"], expiresIn: 300 });
  const show = (id: string, secret: string) => as(secret).json("POST", "/api/keys/s3", { id });
  expectFault(await show(key.id, brief.secret), 403, /expires at/);
  for (const id of [brief.key.id, briefer.key.id]) {
    expect((await show(id, brief.secret)).status).toBe(200);
  }
  expect((await show(key.id, server.apiKey)).status).toBe(200);
});

test("with several processes, no request after the response is accepted with the old secret", () =>
  withServer({ WORKERS: process.platform === "linux" ? "3" : "1" }, async (many) => {
    const { key } = await create({ actions: ["list"] }, many.apiKey, many);
    let { secret } = await rotate(key.id, {}, many.apiKey, many);
    for (let round = 0; round < 10; round += 1) {
      const next = await rotate(key.id, {}, many.apiKey, many);
      const old = secret;
      secret = next.secret;
      const statuses = await Promise.all(
        Array.from({ length: 12 }, (_, at) => statusOf(at % 2 === 0 ? old : secret, many)),
      );
      expect(statuses).toEqual(statuses.map((_, at) => (at % 2 === 0 ? 401 : 200)));
    }
  }));

test("a rotated INITIAL_API_KEY is not installed again by the next start", () =>
  withServer({}, async (own) => {
    const { keys } = expectData(await api(own).get("/api/keys"), keysData);
    const { secret } = await rotate(keys[0]?.id ?? "", {}, own.apiKey, own);
    await own.restart();
    expect([await statusOf(own.apiKey, own), await statusOf(secret, own)]).toEqual([401, 200]);
    const after = expectData(await as(secret, own).get("/api/keys"), keysData);
    expect(after.keys).toHaveLength(1);
  }));

test("`keys rotate` works beside a running server", async () => {
  const { key, secret } = await create({ actions: ["list"] });
  const kept = await run(["keys", "rotate", key.id, "--keep-old", "1h"], server.env);
  expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining(key.name)]);
  const second = kept.stdout.trim();
  expect([await statusOf(secret), await statusOf(second)]).toEqual([200, 200]);
  const { stdout } = await run(["keys", "rotate", key.id], server.env);
  expect([await statusOf(secret), await statusOf(second), await statusOf(stdout.trim())]).toEqual([
    401, 401, 200,
  ]);
});
