import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, signIn, trySignIn } from "./session.ts";
import { newKeyData, signedData } from "./shapes.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer({ ...administrator, LOG_LEVEL: "debug" });
afterAll(() => server.discard());
const a = api(server);

test("the log contains no keys, cookies, passwords or signatures", async () => {
  const file = await a.put("logs/secret.txt", "x", { visibility: "private" });
  const { url } = expectData(await a.json("POST", "/api/files/sign", { id: file.id }), signedData);
  const { secret } = expectData(await a.json("POST", "/api/keys", { name: "log" }), newKeyData);
  const cookie = await signIn(server);
  const wrongPassword = "a wrong guess of mine";
  await trySignIn(server, administrator.ADMIN_EMAIL, wrongPassword);
  const wrongKey = "hd_wrong-key-that-someone-mistyped";
  for (const headers of [
    { "API-Key": secret },
    { "API-Key": wrongKey },
    { Cookie: cookie },
    { Cookie: "holdall_session=mistyped-cookie-value" },
  ]) {
    await send(server, "GET", "/api/files", headers);
    await send(server, "GET", `/${url}`, headers);
    await send(server, "GET", `/${url}x`, headers);
    await send(server, "GET", "/api/unknown", headers);
    await send(server, "PUT", "/api/files", headers, "{");
  }
  // Time for what must not be logged.
  await Bun.sleep(200);
  const sig = /sig=(.+)$/.exec(url)?.[1] ?? "";
  for (const value of [
    server.apiKey,
    secret,
    wrongKey,
    cookie.split("=")[1] ?? "",
    "mistyped-cookie-value",
    sig,
    wrongPassword,
    administrator.ADMIN_PASSWORD,
  ]) {
    expect(value.length).toBeGreaterThan(10);
    expect(server.output()).not.toContain(value);
  }
});

test("a name cannot forge log lines or send terminal escapes", async () => {
  const from = server.output().length;
  const name = '"}\u2028{"level":60,"msg":"forged"}\u001b[2J';
  await send(server, "GET", `/api/hosting/${encodeURIComponent(name)}%0Aforged-line`);
  await a.get(`/api/files?key=${encodeURIComponent(`${name}\nforged-line`)}`);
  // Time for what must not be logged.
  await Bun.sleep(100);
  const printed = server.output().slice(from);
  expect(printed).not.toContain("\u001b[2J");
  expect(printed).not.toMatch(/^forged-line/m);
});

test.skipIf(isOnS3)("a logged name is escaped and can be restored", async () => {
  const before = new Set(blobsOf(server.dataPath));
  const name = "a\u202eb\u2028c\u{e0041}\ud83d\ude00é.txt";
  const file = await a.put(name, "lost", {});
  for (const blob of blobsOf(server.dataPath)) {
    if (!before.has(blob)) rmSync(join(server.dataPath, "blobs", blob.split(" ")[0] ?? ""));
  }
  const from = server.output().length;
  expect((await send(server, "GET", `/${file.url}`)).status).toBe(404);
  await eventually("the damage is logged", () => server.output().slice(from).includes("damage"));
  const line = server.output().slice(from).trim();
  expect(line).toContain("\ud83d\ude00é");
  expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(line)).toMatchObject({ key: name });
});
