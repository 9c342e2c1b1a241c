import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Operation, successStatus } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { type Call, operationCalls } from "./operation-calls.ts";
import { deletedData, filesData, keyData, keysData, newKeyData } from "./shapes.ts";

const server = await startServer({ KEEP_VERSIONS: "true", FETCH_BY_KEYS: "true" });
afterAll(() => server.discard());
const a = api(server);

const create = async (body: unknown) =>
  expectData(await a.json("POST", "/api/keys", body), newKeyData);
const list = async () => expectData(await a.get("/api/keys"), keysData).keys;
const find = async (id: string) => (await list()).find((key) => key.id === id);
const use = (secret: string) => send(server, "GET", "/api/files", { "API-Key": secret });

describe("a new API key", () => {
  test("is hd_ and 32 bytes in base62, shown once, and works at once", async () => {
    const name = unique("key");
    const { key, secret } = await create({ name });
    expect(secret).toMatch(/^hd_[0-9A-Za-z]{43}$/);
    expect(secret).toStartWith(key.prefix);
    expect(key.prefix.length).toBeLessThan(14);
    expect(key).toMatchObject({ name, lastUsedAt: null, expiresAt: null });
    expectData(await use(secret), filesData);
    const listed = await a.get("/api/keys");
    expect(listed.text).not.toContain(secret);
    expect((await find(key.id))?.name).toBe(name);
  });

  test("is unique", async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => create({ name: "same name" })));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(4);
    expect(new Set(made.map(({ key }) => key.id)).size).toBe(4);
  });

  test("shows when it was last used", async () => {
    const { key, secret } = await create({ name: unique("key") });
    await use(secret);
    await server.restart();
    const used = Date.parse(`${(await find(key.id))?.lastUsedAt?.replace(" ", "T")}Z`);
    expect(Math.abs(used - Date.now())).toBeLessThan(120_000);
  });

  test("appears in plain text neither in the data folder nor in the log", async () => {
    const { secret } = await create({ name: unique("key") });
    await use(secret);
    for (const name of readdirSync(server.dataPath, { recursive: true, encoding: "utf8" })) {
      const path = join(server.dataPath, name);
      if (!statSync(path).isFile()) continue;
      const bytes = readFileSync(path);
      expect([name, bytes.includes(secret), bytes.includes(server.apiKey)]).toEqual([
        name,
        false,
        false,
      ]);
    }
    expect(server.output()).not.toContain(secret);
  });
});

describe("operations", () => {
  const calls = operationCalls(server);
  const callable = Object.entries(calls).map(([id, prepare]) => ({ id, prepare }));

  const call = (id: string, { path, body, contentType }: Call, headers: HeaderPairs) => {
    const { method = "" } = Object.values(operations).find((each) => each.id === id) ?? {};
    const type = contentType === undefined ? {} : { "Content-Type": contentType };
    return send(server, method, path, { ...type, ...headers }, body);
  };

  test("that keys may call are all in the table", () => {
    const expected = Object.values(operations).filter(({ access }) => /caller|reader/.test(access));
    expect(Object.keys(calls).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });

  test.each(callable)("a new key may call $id, and nobody without one", async ({ id, prepare }) => {
    const { secret } = await create({ name: unique("key"), actions: ["admin"] });
    const refused = await call(id, await prepare(), {});
    expect([401, 404]).toContain(refused.status);
    const answer = await call(id, await prepare(), { "API-Key": secret });
    const operation = Object.values<Operation>(operations).find((each) => each.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    expect([answer.status, answer.text]).toEqual([successStatus(operation), answer.text]);
  });

  const ofAccounts = Object.values(operations).filter(({ access }) => access === "account");
  test.each(ofAccounts)("a key may not call $id", async ({ id, path, example }) => {
    const json = example.body === undefined ? {} : { body: JSON.stringify(example.body) };
    const request = { path, ...json, contentType: "application/json" };
    expectFault(await call(id, request, { "API-Key": server.apiKey }), 401);
  });
});

describe("expiresIn", () => {
  test("makes the key expire", async () => {
    // Long enough for the first request on a busy machine.
    const { key, secret } = await create({ name: unique("key"), expiresIn: 4 });
    expect(key.expiresAt).not.toBeNull();
    expectData(await use(secret), filesData);
    await eventually("it has expired", async () => (await use(secret)).status !== 200);
    expect(expectFault(await use(secret), 401)).toBe("Unauthorized");
  });

  test("sets expiresAt; null means never", async () => {
    const { key } = await create({ name: unique("key"), expiresIn: 3_600 });
    const left = Date.parse(`${key.expiresAt?.replace(" ", "T")}Z`) - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(120_000);
    expect((await create({ name: unique("key"), expiresIn: null })).key.expiresAt).toBeNull();
  });
});

test("renaming a key only changes its name", async () => {
  const { key, secret } = await create({ name: unique("key") });
  const answer = await a.json("PUT", "/api/keys", { id: key.id, name: "  other  " });
  expect(expectData(answer, keyData).key).toEqual({ ...key, name: "other" });
  expectData(await use(secret), filesData);
});

test("revoking a key takes effect at once and affects no other", async () => {
  const one = await create({ name: unique("key") });
  const two = await create({ name: unique("key") });
  expectData(await use(one.secret), filesData);
  const answer = await a.json("DELETE", "/api/keys", { id: one.key.id });
  expect(expectData(answer, deletedData).deleted).toEqual([one.key.id]);
  expect(expectFault(await use(one.secret), 401)).toBe("Unauthorized");
  expect(await find(one.key.id)).toBeUndefined();
  expectData(await use(two.secret), filesData);
  expectFault(await a.json("DELETE", "/api/keys", { id: one.key.id }), 404);
});

test("a revoked key cannot read private files", async () => {
  const file = await a.put(unique("secret"), "x", { visibility: "private" });
  const { key, secret } = await create({ name: unique("key") });
  const read = () => send(server, "GET", `/${file.url}`, { "API-Key": secret });
  expect((await read()).status).toBe(200);
  await a.json("DELETE", "/api/keys", { id: key.id });
  expectFault(await read(), 404);
});

describe("is rejected and changes no key", () => {
  const cases: readonly (readonly [string, unknown, number, RegExp])[] = [
    ["POST", {}, 400, /name/],
    ["POST", { name: "" }, 400, /name/],
    ["POST", { name: "   " }, 400, /name/],
    ["POST", { name: "n".repeat(101) }, 400, /name/],
    ["POST", { name: 5 }, 400, /name/],
    ["POST", { name: "x", expiresIn: 0 }, 400, /expiresIn/],
    ["POST", { name: "x", expiresIn: -1 }, 400, /expiresIn/],
    ["POST", { name: "x", expiresIn: "60" }, 400, /expiresIn/],
    ["POST", { name: "x", expiresIn: 1e300 }, 400, /expiresIn/],
    ["PUT", { id: "nope", name: "x" }, 404, /./],
    ["PUT", { name: "x" }, 400, /id/],
    ["PUT", { id: "nope" }, 400, /name/],
    ["DELETE", { id: "nope" }, 404, /./],
    ["DELETE", {}, 400, /id/],
    ["DELETE", { id: 5 }, 400, /id/],
  ];
  test.each(cases)("%s %j is %d", async (method, body, status, message) => {
    const plain = async () => (await list()).map(({ lastUsedAt: _, ...key }) => key);
    const before = await plain();
    expectFault(await a.json(method, "/api/keys", body), status, message);
    expect(await plain()).toEqual(before);
  });
});
