import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { raw } from "./raw.ts";
import { signedData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());

async function signedSecret(on: TestServer = server, expiresIn = 600) {
  const file = await api(on).put(`${unique("signed")}/file.txt`, "x", { visibility: "private" });
  const answer = await api(on).json("POST", "/api/files/sign", { id: file.id, expiresIn });
  const { url } = expectData(answer, signedData);
  const query = new URL(url, "http://x/").searchParams;
  return { file, url, exp: query.get("exp") ?? "", sig: query.get("sig") ?? "" };
}

const status = async (url: string, on: TestServer = server) =>
  (await send(on, "GET", `/${url}`)).status;

describe("a signed URL needs exactly one valid exp and sig", () => {
  test("anything else is 404", async () => {
    const { file, url, exp, sig } = await signedSecret();
    const flipped = (sig.startsWith("A") ? "B" : "A") + sig.slice(1);
    const queries = [
      `exp=${exp}`,
      `sig=${sig}`,
      `exp=&sig=${sig}`,
      `exp=${exp}&sig=`,
      `exp=${exp}&sig=${flipped}`,
      `exp=${exp}&sig=${sig.slice(0, -1)}`,
      `exp=${exp}&sig=${sig}A`,
      `exp=${exp}&sig=${sig}%3D`,
      `exp=${exp}&sig=${sig}%00`,
      `exp=${exp}&sig=%F0%9F%98%80`,
      `exp=${exp}&sig=${"A".repeat(43)}`,
      `exp=${exp}&sig=${sig}&sig=${sig}`,
      `exp=${exp}&exp=${exp}&sig=${sig}`,
      `exp=${exp}&sig=${sig}&sig=`,
      `exp=${exp}&sig=${sig}&exp=`,
      `exp=${Number(exp) + 1}&sig=${sig}`,
      `exp=${Number(exp) - 1}&sig=${sig}`,
      `exp=0${exp}&sig=${sig}`,
      `exp=0${exp}&sig=${sig}&download=1`,
      `exp=1e12&sig=${sig}`,
      `exp=${exp}.0&sig=${sig}`,
      `exp=%2B${exp}&sig=${sig}`,
      `exp=-${exp}&sig=${sig}`,
      `exp=%20${exp}&sig=${sig}`,
      `exp=${exp}%0A&sig=${sig}`,
      `exp=0x7fffffff&sig=${sig}`,
      `exp=9999999999999&sig=${sig}`,
      `exp=999999999999&sig=${sig}`,
      `EXP=${exp}&SIG=${sig}`,
      `exp[]=${exp}&sig[]=${sig}`,
    ];
    for (const query of queries) {
      const answer = await raw(server.port, "GET", `/${file.url}?${query}`);
      expect([query, answer.status]).toEqual([query, 404]);
    }
    expect(await status(url)).toBe(200);
    expect(await status(`${file.url}?sig=${sig}&exp=${exp}`)).toBe(200);
    expect(await status(`${url}&other=1`)).toBe(200);
  });

  test("a signature is valid only for its file", async () => {
    const one = await signedSecret();
    const two = await signedSecret();
    expect(await status(`${two.file.url}?exp=${one.exp}&sig=${one.sig}`)).toBe(404);
  });

  test("a signature is valid only for hosting", async () => {
    const { file, exp, sig } = await signedSecret();
    const download = `/api/files/download/${file.id}?exp=${exp}&sig=${sig}`;
    expectFault(await send(server, "GET", download), 401, /^Unauthorized$/);
    expectFault(await send(server, "GET", `/api/files?exp=${exp}&sig=${sig}`), 401);
  });
});

describe("a signed URL becomes invalid", () => {
  const a = api(server);

  test("with a rename", async () => {
    const { file, url, exp, sig } = await signedSecret();
    await a.json("PUT", "/api/files", { id: file.id, name: "other.txt" });
    expect(await status(url)).toBe(404);
    const moved = await a.file(file.id);
    expect(await status(`${moved.url}?exp=${exp}&sig=${sig}`)).toBe(404);
  });

  test("with a rename of a parent folder", async () => {
    const { file, url, exp, sig } = await signedSecret();
    await a.json("PUT", "/api/folders", { id: file.folderId, name: unique("moved") });
    expect(await status(url)).toBe(404);
    const moved = await a.file(file.id);
    expect(await status(`${moved.url}?exp=${exp}&sig=${sig}`)).toBe(404);
  });

  test("with its file, also for a new file with the same key", async () => {
    const { file, url } = await signedSecret();
    await a.json("DELETE", "/api/files", { id: file.id });
    expect(await status(url)).toBe(404);
    await a.put(file.key, "another", { visibility: "private" });
    expect(await status(url)).toBe(404);
  });

  test("but not with a change of visibility", async () => {
    const { file, url } = await signedSecret();
    await a.json("PUT", "/api/files", { id: file.id, visibility: "public" });
    expect(await status(url)).toBe(200);
    await a.json("PUT", "/api/files", { id: file.id, visibility: "private" });
    expect(await status(url)).toBe(200);
  });
});

describe("AUTH_SECRET", () => {
  test("invalidates all signed URLs when it changes", async () => {
    const one = await startServer({ AUTH_SECRET: "a".repeat(40) });
    try {
      const { url } = await signedSecret(one);
      await one.restart();
      expect(await status(url, one)).toBe(200);
      await one.restart({ AUTH_SECRET: "b".repeat(40) });
      expect(await status(url, one)).toBe(404);
      await one.restart({ AUTH_SECRET: "a".repeat(40) });
      expect(await status(url, one)).toBe(200);
      expect(one.output()).not.toContain("a".repeat(40));
    } finally {
      await one.discard();
    }
  });

  test("is generated on the first start, kept, and readable only by its owner", async () => {
    const one = await startServer();
    try {
      const { url } = await signedSecret(one);
      await one.restart();
      expect(await status(url, one)).toBe(200);
      const secrets = readdirSync(one.dataPath).filter((name) => /secret/i.test(name));
      expect(secrets.length).toBe(1);
      const [file = ""] = secrets;
      expect(statSync(join(one.dataPath, file)).mode & 0o077).toBe(0);
    } finally {
      await one.discard();
    }
  });
});
