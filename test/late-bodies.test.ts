import { afterAll, describe, expect, test } from "bun:test";
import { api, type HeaderPairs, unique } from "./client.ts";
import { expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { filePart, multipart } from "./multipart.ts";
import { openRaw } from "./raw.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { filesData, keysData, newKeyData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

/** Longer than requests go without being authenticated again. */
const LATE_MS = 300;

/** Sends the first half of the body, does something, waits, and sends the rest. */
async function sendSlowly(
  [method, path]: readonly [string, string],
  headers: HeaderPairs,
  body: Buffer,
  meanwhile: () => Promise<unknown>,
) {
  const connection = await openRaw(server.port);
  try {
    const all = { Host: `127.0.0.1:${server.port}`, ...headers, "Content-Length": body.length };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.send(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    const half = Math.floor(body.length / 2);
    connection.send(body.subarray(0, half));
    // The client is slow.
    await Bun.sleep(LATE_MS);
    await meanwhile();
    connection.send(body.subarray(half));
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

const form = () => multipart([filePart(unique("late"), "x".repeat(200_000))]);

function upload(headers: HeaderPairs, meanwhile: () => Promise<unknown>) {
  const { contentType, bytes } = form();
  const all = { ...headers, "Content-Type": contentType };
  return sendSlowly(["POST", "/api/files"], all, bytes, meanwhile);
}

async function createKey(rights: object = {}) {
  const made = await a.json("POST", "/api/keys", { name: unique("key"), ...rights });
  const { key, secret } = expectData(made, newKeyData);
  // `expiresAt` is in whole seconds, rounded down.
  const untilExpired = () => untilAfter(Date.parse(`${key.expiresAt}Z`) + 1000);
  return { headers: { "API-Key": secret }, revoke: () => revoke(key.id), untilExpired };
}

const revoke = (id: string) => a.json("DELETE", "/api/keys", { id });

describe("an upload whose body is slow", () => {
  test("succeeds while its key is valid", async () => {
    const { headers } = await createKey();
    expectData(await upload(headers, async () => {}), filesData);
  });

  test("stores nothing if its key is revoked meanwhile", async () => {
    const { headers, revoke } = await createKey();
    await expectUnchanged(server, async () => {
      expect(expectFault(await upload(headers, revoke), 401)).toBe("Unauthorized");
    });
  });

  test("stores nothing if its key expires meanwhile", async () => {
    const { headers, untilExpired } = await createKey({ expiresIn: 1 });
    await expectUnchanged(server, async () => {
      expectFault(await upload(headers, untilExpired), 401);
    });
  });

  test("stores nothing if its session ends meanwhile", async () => {
    const cookie = await signIn(server);
    const headers = { Cookie: cookie, Origin: server.url };
    expectData(await upload(headers, async () => {}), filesData);
    const signOut = () => fromPage(server, "POST", "/auth/sign-out", cookie);
    await expectUnchanged(server, async () => {
      expectFault(await upload(headers, signOut), 401);
    });
  });
});

test("a key that is revoked while it sends JSON creates no other key", async () => {
  const { headers, revoke } = await createKey();
  const body = Buffer.from(JSON.stringify({ name: "escaped" }));
  const json = { ...headers, "Content-Type": "application/json" };
  expectFault(await sendSlowly(["POST", "/api/keys"], json, body, revoke), 401);
  const { keys } = expectData(await a.get("/api/keys"), keysData);
  expect(keys.map(({ name }) => name)).not.toContain("escaped");
});
