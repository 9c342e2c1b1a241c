import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { api, send } from "../client.ts";
import { expectData, expectFault } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { raw, rawRequest } from "../raw.ts";
import { administrator, cookieOf, fromPage, signIn } from "../session.ts";
import { newKeyData, signedData } from "../shapes.ts";
import { rankTest } from "./rank-test.ts";

const servers: TestServer[] = [];
const start = async (env: Parameters<typeof startServer>[0]): Promise<TestServer> => {
  const server = await startServer(env);
  servers.push(server);
  return server;
};
afterAll(async () => {
  for (const server of servers) await server.discard();
});

const server = await start({ ...administrator, TRUSTED_PROXIES: "127.0.0.1" });
const allOperations = Object.values<Operation>(operations);
const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\*?\}/g, "x");

let clients = 0;

const newClient = (): number => {
  clients += 1;
  return clients;
};

/** Each attempt comes from a new client, so that none is throttled by earlier ones, unless one is given. */
function signInBytes(email: string, password: string, client = newClient()): string {
  const body = JSON.stringify({ email, password });
  const lines = [
    "POST /auth/sign-in HTTP/1.1",
    "Host: a",
    "Connection: close",
    `X-Forwarded-For: 198.18.${client >> 8}.${client & 255}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return [...lines, "", body].join("\r\n");
}

describe("account enumeration: whether an account exists", () => {
  const known = administrator.ADMIN_EMAIL;
  const guess = (email: string, client?: number) =>
    rawRequest(server.port, signInBytes(email, "not the password", client));
  /** As long as the known one. */
  const unknown = (at: number) => `u${String(at).padStart(2, "0")}@example.com`;

  test("does not show in the response", async () => {
    const [one, other] = [await guess(known), await guess(unknown(0))];
    const bytes = ({ received }: { received: Buffer }) =>
      received.toString("latin1").replace(/^(?:date|x-request-id): .*$/gim, "");
    expect(one.status).toBe(401);
    expect(bytes(one)).toBe(bytes(other));
  });

  test("does not show in the number of attempts allowed", async () => {
    const countAttempts = async (email: string) => {
      const attackers = Array.from({ length: 10 }, newClient);
      let count = 0;
      for (let at = 0; at < 60; at += 1) {
        if ((await guess(email, attackers[at % attackers.length])).status === 401) count += 1;
      }
      return count;
    };
    await rawRequest(server.port, signInBytes(known, administrator.ADMIN_PASSWORD));
    // On a slow machine a delay of a few seconds may pass meanwhile.
    for (const email of [known, "someone@example.com"]) {
      const count = await countAttempts(email);
      expect(count).toBeGreaterThanOrEqual(20);
      expect(count).toBeLessThan(28);
    }
  });

  test("does not show in the response time", async () => {
    const fresh = await start({ ...administrator, TRUSTED_PROXIES: "127.0.0.1" });
    const times = { known: [] as number[], unknown: [] as number[] };
    const measure = async (email: string, password = "not the password") => {
      const startedAt = performance.now();
      const { status } = await rawRequest(fresh.port, signInBytes(email, password));
      return { status, elapsed: performance.now() - startedAt };
    };
    for (let at = 0; at < 40; at += 1) {
      // A successful sign-in resets the throttle of the address.
      if (at % 8 === 0) await measure(known, administrator.ADMIN_PASSWORD);
      for (const which of at % 2 === 0
        ? (["known", "unknown"] as const)
        : (["unknown", "known"] as const)) {
        const { status, elapsed } = await measure(which === "known" ? known : unknown(at));
        expect(status).toBe(401);
        times[which].push(elapsed);
      }
    }
    const { p } = rankTest(times.known, times.unknown);
    expect(p).toBeGreaterThan(1e-6);
  });
});

describe("a revoked key", () => {
  const keyOperations = allOperations.filter(({ access }) => access === "caller");

  test("is refused by every operation, however it is sent", async () => {
    const made = await api(server).json("POST", "/api/keys", { name: "short-lived" });
    const { key, secret } = expectData(made, newKeyData);
    const sendWithKey = (operation: Operation, headers = {}) =>
      raw(server.port, operation.method, pathOf(operation), {
        "API-Key": secret,
        "Content-Type": "application/json",
        "Content-Length": "0",
        ...headers,
      });
    for (const operation of keyOperations)
      expect((await sendWithKey(operation)).status).not.toBe(401);
    await api(server).json("DELETE", "/api/keys", { id: key.id });
    const cookie = await signIn(server);
    for (const operation of keyOperations) {
      for (const headers of [{}, { Cookie: cookie, Origin: server.url }]) {
        const answer = await sendWithKey(operation, headers);
        expect([operation.id, answer.status]).toEqual([operation.id, 401]);
        expect(answer.text).not.toContain(secret);
      }
    }
  });

  test("leaves its signed URLs valid until a rename", async () => {
    const file = await api(server).put("signed/by-a-key.txt", "x", { visibility: "private" });
    const made = await api(server).json("POST", "/api/keys", { name: "signer" });
    const { key, secret } = expectData(made, newKeyData);
    const headers = { "API-Key": secret, "Content-Type": "application/json" };
    const body = JSON.stringify({ id: file.id });
    const signed = await send(server, "POST", "/api/files/sign", headers, body);
    const { url } = expectData(signed, signedData);
    await api(server).json("DELETE", "/api/keys", { id: key.id });
    expect((await send(server, "GET", `/${url}`)).text).toBe("x");
    await api(server).json("PUT", "/api/files", { id: file.id, name: "renamed.txt" });
    expectFault(await send(server, "GET", `/${url}`), 404);
  });
});

test("refusals never repeat a secret", async () => {
  const secret = "hd_sEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReT";
  const cookie = await signIn(server);
  const fields = ["password", "currentPassword", "newPassword", "token", "email", "id", "name"];
  const bodies: readonly unknown[] = [
    Object.fromEntries(fields.map((field) => [field, [secret]])),
    Object.fromEntries(fields.map((field) => [field, { [secret]: secret }])),
    { password: secret.repeat(40), token: secret.repeat(40), newPassword: secret.repeat(40) },
    [secret],
    secret,
  ];
  const texts = [...bodies.map((body) => JSON.stringify(body)), `{"password":"${secret}`];
  for (const operation of allOperations) {
    if (operation.body === undefined || !("json" in operation.body)) continue;
    for (const text of texts) {
      const headers = { Cookie: cookie, Origin: server.url, "Content-Type": "application/json" };
      const answer = await send(server, operation.method, pathOf(operation), headers, text);
      // Unknown fields are ignored, and some operations need no others.
      const isValid = operation.body.json.safeParse(parsedOrUndefined(text)).success;
      expect([operation.id, answer.status >= 400 || isValid]).toEqual([operation.id, true]);
      expect([operation.id, answer.text.includes(secret)]).toEqual([operation.id, false]);
    }
  }
  expect(server.output()).not.toContain(secret);
});

test("the data folder contains no session, setup link, signature or password in plain text", async () => {
  const fresh = await start({});
  const token = /setup\S*?([0-9A-Za-z]{43})/.exec(fresh.output())?.[1] ?? "";
  const passwords = ["first of all passwords", "second of all passwords"] as const;
  const email = "grace@example.com";
  const setUp = { token, email, password: passwords[0] };
  const first = cookieOf(await fromPage(fresh, "POST", "/auth/setup", "", setUp));
  const change = { currentPassword: passwords[0], newPassword: passwords[1] };
  const changed = await fromPage(fresh, "PUT", "/auth/password", first, change);
  const second = cookieOf(changed);
  const file = await api(fresh).put("private.txt", "x", { visibility: "private" });
  const signed = await api(fresh).json("POST", "/api/files/sign", { id: file.id });
  const { url } = expectData(signed, signedData);
  expect((await send(fresh, "GET", `/${url}`)).status).toBe(200);
  await fresh.stop();

  const secrets = [
    token,
    first.split("=")[1],
    second.split("=")[1],
    url.split("sig=")[1],
    ...passwords,
  ];
  for (const name of readdirSync(fresh.dataPath, { recursive: true, encoding: "utf8" })) {
    const path = join(fresh.dataPath, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    for (const [which, secret = ""] of secrets.entries()) {
      expect(secret.length).toBeGreaterThan(20);
      expect([name, which, bytes.includes(secret)]).toEqual([name, which, false]);
    }
  }
  // Only the link is printed on purpose.
  for (const secret of secrets.slice(1)) expect(fresh.output()).not.toContain(secret ?? "");
});

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
