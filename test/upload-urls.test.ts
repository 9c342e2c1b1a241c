import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { newKeyData } from "./shapes.ts";
import { isOnS3 } from "./test-stores.ts";
import {
  append,
  beginAppend,
  createUpload,
  locationOf,
  noise,
  offsetOf,
  sha256,
  stateOf,
} from "./upload-url.ts";

const server = await startServer({ ...administrator, MAX_OPEN_UPLOADS: "5" });
/* Long enough for a busy machine to send the next bytes. */
const shortLived = await startServer({ UPLOAD_EXPIRY: "4s" });
afterAll(() => Promise.all([server.discard(), shortLived.discard()]));
const a = api(server);

async function createKey(rights: object) {
  const made = await a.json("POST", "/api/keys", { name: unique("key"), ...rights });
  const { key, secret } = expectData(made, newKeyData);
  const revoke = () => a.json("DELETE", "/api/keys", { id: key.id });
  return { url: server.url, apiKey: secret, revoke };
}

describe("an upload URL", () => {
  test("needs no key, and works for one file only", async () => {
    const folder = unique("folder");
    await a.folder(folder);
    const key = await createKey({ actions: ["write"], folder });
    const path = await createUpload(key, { folder, name: "a.txt", size: 3 });
    expect((await append(server, path, 0, "123")).header("upload-complete")).toBe("?1");
    const token = path.split("/").at(-1) ?? "";
    for (const [method, other] of [
      ["POST", "/api/uploads"],
      ["GET", "/api/files"],
      ["GET", `/api/batches/${token}`],
      ["DELETE", `/api/batches/${token}`],
    ] as const) {
      const answer = await send(server, method, other, { "API-Key": token });
      expect([401, 404], `${method} ${other}`).toContain(answer.status);
    }
  });

  test("looks missing with any other secret or id", async () => {
    const path = await createUpload(server);
    const [start = "", secret = ""] = path.split(".");
    const wrong = [
      start,
      `${start}.`,
      `${start}.${secret.slice(1)}`,
      `${start}.${"A".repeat(43)}`,
      `${start}.${secret}x`,
      `/api/uploads/00000000-0000-7000-8000-000000000000.${secret}`,
      "/api/uploads/%00.%00",
    ];
    for (const other of wrong) {
      for (const method of ["HEAD", "GET", "PATCH", "DELETE"]) {
        const type = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0" };
        const answer = await send(server, method, other, method === "PATCH" ? type : {});
        expect(answer.status, `${method} ${other}`).toBe(404);
      }
    }
    expect(await offsetOf(server, path)).toBe(0);
    await send(server, "DELETE", path);
  });

  test("is not stored", async () => {
    const path = await createUpload(server);
    const secret = path.slice(-43);
    const file = Bun.file(`${server.dataPath}/catalog.sqlite`);
    if (await file.exists()) expect(await file.text()).not.toContain(secret);
    expect((await a.get("/api/activity?limit=200")).text).not.toContain(secret);
    expect(server.output()).not.toContain(secret);
    await send(server, "DELETE", path);
  });

  test("takes only the media types that it allows", async () => {
    const body = { name: undefined, types: ["image/*", "application/pdf"] };
    const named = { name: "a.txt", types: ["image/*"] };
    expectFault(await a.json("POST", "/api/uploads", named), 415, /image\/\*/);
    expectFault(await a.json("POST", "/api/uploads", { types: ["image"] }), 400, /types/);
    const path = await createUpload(server, body);
    const name = (text: string) => ({ "Upload-Metadata": `filename ${btoa(text)}` });
    expectFault(await append(server, path, 0, "x", name("a.txt")), 415);
    const done = await append(server, path, 0, "x", { ...name("a.png"), "Upload-Length": "1" });
    expect(done.header("upload-complete")).toBe("?1");
  });

  test("can be used from pages of other origins, without credentials", async () => {
    const path = await createUpload(server, { size: 3 });
    const Origin = "https://elsewhere.example";
    const preflight = await send(server, "OPTIONS", path, {
      Origin,
      "Access-Control-Request-Method": "PATCH",
      "Access-Control-Request-Headers": "content-type,tus-resumable,upload-offset",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.header("access-control-allow-origin")).toBe("*");
    expect(preflight.header("access-control-allow-credentials")).toBeNull();
    expect(preflight.header("access-control-allow-methods")).toContain("PATCH");
    const allowed = preflight.header("access-control-allow-headers")?.toLowerCase() ?? "";
    for (const name of ["content-type", "tus-resumable", "upload-offset", "upload-length"]) {
      expect(allowed).toContain(name);
    }
    expect(allowed).not.toContain("api-key");
    const answers = [
      await send(server, "HEAD", path, { Origin }),
      await append(server, path, 9, "x", { Origin, "Sec-Fetch-Site": "cross-site" }),
      await append(server, path, 0, "123", { Origin, "Sec-Fetch-Site": "cross-site" }),
      await send(server, "HEAD", `${path}x`, { Origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 204, 404]);
    for (const answer of answers) {
      expect(answer.header("access-control-allow-origin")).toBe("*");
      const exposed = answer.header("access-control-expose-headers")?.split(", ") ?? [];
      expect(exposed).toContain("Upload-Offset");
      expect(exposed).toContain("Holdall-File");
    }
    // Creating one needs a key, which must not be in a page.
    for (const creation of ["/api/uploads", "/api/batches"]) {
      const refused = await send(server, "OPTIONS", creation, {
        Origin,
        "Access-Control-Request-Method": "POST",
      });
      expect(refused.header("access-control-allow-origin")).toBeNull();
    }
  });

  test("ends when the key that created it is revoked, also in the middle of a request", async () => {
    const folder = unique("revoked");
    await a.folder(folder);
    const key = await createKey({ actions: ["write"], folder });
    const path = await createUpload(key, { folder, size: 10 });
    const other = await createUpload(key, { folder, name: "b", size: 10 });
    await append(server, path, 0, "12345");
    const open = await beginAppend(server, other, { offset: 0, length: 10, bytes: noise(5) });
    // Nothing shows that the request has begun.
    await Bun.sleep(50);
    await key.revoke();
    expectFault(await append(server, path, 5, "67890"), 404);
    expect((await stateOf(server, path)).status).toBe(404);
    open.send(noise(5));
    expect((await open.answer()).status).toBe(404);
    expect((await a.browse(folder)).files).toEqual([]);
  });

  test("ends for a request that waits when the key is revoked, with 404", async () => {
    const key = await createKey({ actions: ["write"] });
    const path = await createUpload(key, { size: 10 });
    const open = await beginAppend(server, path, { offset: 0, length: 10, bytes: noise(5) });
    // Nothing shows that the request has begun.
    await Bun.sleep(50);
    await key.revoke();
    expect((await open.answer()).status).toBe(404);
  });

  test("ends when the folder leaves the key's", async () => {
    const folder = unique("left");
    const top = await a.folder(folder);
    await a.folder(`${folder}/in`);
    const key = await createKey({ actions: ["write"], folder: `${folder}/in` });
    const path = await createUpload(key, { folder: `${folder}/in`, size: 5 });
    await append(server, path, 0, "12");
    await a.json("PUT", "/api/folders", { id: top.id, name: unique("renamed") });
    expectFault(await append(server, path, 2, "345"), 404);
  });

  test("no longer shows the file once it has left the folder of the key, nor what replaced it", async () => {
    const folder = unique("inbox");
    await a.folder(folder);
    const other = await a.folder(unique("other"));
    const key = await createKey({ actions: ["write"], folder });
    const path = await createUpload(key, { folder, name: "a.txt", size: 3 });
    expect((await append(server, path, 0, "123")).header("repr-digest")).not.toBeNull();
    const replacing = await createUpload(server, {
      folder,
      name: "a.txt",
      size: 5,
      onConflict: "replace",
    });
    await append(server, replacing, 0, "other");
    const replaced = await stateOf(server, path);
    expect(replaced.header("content-location")).toBe(`/api/hosting/${folder}/a.txt`);
    expect(replaced.header("repr-digest")).toBeNull();
    const id = replaced.header("holdall-file");
    await a.json("PUT", "/api/files", { id, folderId: other.id, name: "minutes.txt" });
    const moved = await stateOf(server, path);
    expect(moved.header("upload-complete")).toBe("?1");
    expect(moved.header("content-location")).toBeNull();
    expect(moved.header("holdall-file")).toBeNull();
    const shown = await send(server, "GET", path);
    expect(shown.text).not.toContain("minutes");
    expect(JSON.parse(shown.text).data).toMatchObject({ complete: true, file: null });
  });

  test("can be made in a session, and outlives it", async () => {
    const session = await signIn(server);
    const made = await fromPage(server, "POST", "/api/uploads", session, {
      folder: unique("session"),
      name: "a.txt",
      size: 2,
    });
    const path = locationOf(made);
    await fromPage(server, "POST", "/auth/sign-out", session, {});
    expect((await append(server, path, 0, "12")).header("upload-complete")).toBe("?1");
  });
});

describe("limits", () => {
  test("a key has at most MAX_OPEN_UPLOADS open uploads", async () => {
    const key = await createKey({ actions: ["write"] });
    const paths: string[] = [];
    for (let at = 0; at < 5; at += 1) paths.push(await createUpload(key, { size: 1 }));
    const answer = await api(key).json("POST", "/api/uploads", {});
    expectFault(answer, 429, /5 open uploads/);
    await append(server, paths[0] ?? "", 0, "x");
    await send(server, "DELETE", paths[1] ?? "");
    for (let at = 0; at < 2; at += 1) await createUpload(key);
    expectFault(await api(key).json("POST", "/api/uploads", {}), 429);
  });

  test("a key has at most as many open batches", async () => {
    const key = await createKey({ actions: ["write"] });
    const create = () => api(key).json("POST", "/api/batches", {});
    const urls: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      urls.push(expectData(await create(), z.object({ url: z.string() })).url);
    }
    const refused = await create();
    expectFault(refused, 429, /5 open batches/);
    expect(refused.header("retry-after")).toBe("60");
    expect((await send(server, "POST", `/${urls[0]}/commit`)).status).toBe(200);
    expect((await send(server, "DELETE", `/${urls[1]}`)).status).toBe(200);
    for (let at = 0; at < 2; at += 1) expect((await create()).status).toBe(200);
    expectFault(await create(), 429);
  });

  test.skipIf(isOnS3)("a file that does not fit the volume is refused at once", async () => {
    const roomy = await startServer({ MAX_UPLOAD_SIZE: "900000gb" });
    try {
      const answer = await api(roomy).json("POST", "/api/uploads", { size: 2 ** 49 });
      expectFault(answer, 507);
    } finally {
      await roomy.discard();
    }
  });

  test("an upload expires, but not as long as bytes arrive", async () => {
    const path = await createUpload(shortLived, { size: 100 });
    const started = performance.now();
    for (let offset = 0; performance.now() - started < 6000; offset += 1) {
      expect((await append(shortLived, path, offset, "x")).status).toBe(204);
      // Bytes arrive slowly, for longer than an upload may rest.
      await Bun.sleep(100);
    }
    await eventually(
      "it has expired",
      async () => (await stateOf(shortLived, path)).status === 410,
    );
    expectFault(await append(shortLived, path, 0, "x"), 410);
    expect((await send(shortLived, "DELETE", path)).status).toBe(410);
  });
});

test("the memory stays flat with 200 open uploads", async () => {
  const many = await startServer({ WORKERS: "1" });
  try {
    const bytes = noise(600_000);
    const paths = await Promise.all(
      Array.from({ length: 200 }, () => createUpload(many, { size: 2 * bytes.length })),
    );
    const memory = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${many.pid}/status`, "utf8"))?.[1]);
    const before = memory();
    for (const path of paths) await append(many, path, 0, bytes);
    expect(memory() - before).toBeLessThan(60_000);
    const done = await append(many, paths[0] ?? "", bytes.length, bytes);
    const whole = Buffer.concat([bytes, bytes]);
    expect(done.header("repr-digest")).toContain(
      Buffer.from(sha256(whole), "hex").toString("base64"),
    );
  } finally {
    await many.discard();
  }
});
