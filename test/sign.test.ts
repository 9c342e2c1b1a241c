import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { signedData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
const other = await startServer({
  DEFAULT_PRESIGN_TTL_SECONDS: "120",
  MAX_PRESIGN_TTL_SECONDS: "600",
});
afterAll(async () => {
  await server.discard();
  await other.discard();
});
const a = api(server);

const sign = (body: unknown, on = server) => api(on).json("POST", "/api/files/sign", body);
const signed = async (body: unknown, on = server) => expectData(await sign(body, on), signedData);

const secret = (path = unique("secret"), on = server) =>
  api(on).put(path, `content of ${path}`, { visibility: "private" });

/** Expects the signed URL to be valid for `seconds`, and `expiresAt` to be the same time. */
async function expectValidity(body: unknown, seconds: number, on = server): Promise<void> {
  const before = Date.now() / 1_000;
  const { url, expiresAt } = await signed(body, on);
  const after = Date.now() / 1_000;
  const exp = Number(new URL(url, "http://x/").searchParams.get("exp"));
  expect(Date.parse(expiresAt)).toBe(exp * 1_000);
  expect(exp).toBeGreaterThan(before + seconds - 1);
  expect(exp).toBeLessThanOrEqual(after + seconds + 1);
}

describe("a signed URL", () => {
  test("reads a private file without a key, by id and by key", async () => {
    const file = await secret(`${unique("sign")}/a b#?.txt`);
    for (const selector of [{ id: file.id }, { key: file.key }, { id: file.id, key: file.key }]) {
      const { url } = await signed(selector);
      expect(url.startsWith(`${file.url}?exp=`)).toBe(true);
      const answer = await send(server, "GET", `/${url}`);
      expect(answer.text).toBe(`content of ${file.key}`);
      expect(answer.header("cache-control")).toBe("private, no-store");
      expect(answer.header("etag")).toBeNull();
    }
    expectFault(await send(server, "GET", `/${file.url}`), 404);
  });

  test("has a signature of 256 bits in base64url", async () => {
    const { url } = await signed({ id: (await secret()).id });
    expect(url).toMatch(/&sig=[A-Za-z0-9_-]{43}$/);
  });

  test("works with HEAD, a range, and as a download", async () => {
    const file = await secret("disposition/résumé.txt");
    const { url } = await signed({ id: file.id });
    expect((await send(server, "HEAD", `/${url}`)).status).toBe(200);
    const part = await send(server, "GET", `/${url}`, { Range: "bytes=0-6" });
    expect([part.status, part.text]).toEqual([206, "content"]);
    const download = await send(server, "GET", `/${url}&download=1`);
    expect(download.status).toBe(200);
    expect(download.header("content-disposition")).toStartWith("attachment");
  });

  test("works for a public file, which needs none", async () => {
    const file = await a.put(unique("open"));
    const { url } = await signed({ id: file.id });
    expect((await send(server, "GET", `/${url}`)).status).toBe(200);
    expect((await send(server, "GET", `/${file.url}`)).status).toBe(200);
  });

  test("accepts the key in another Unicode form", async () => {
    const file = await secret(`${unique("sign")}/\u00e9.txt`);
    const { url } = await signed({ key: file.key.normalize("NFD") });
    expect((await send(server, "GET", `/${url}`)).status).toBe(200);
  });
});

describe("expiresIn", () => {
  test("defaults to 3600 and is clamped to 604800", async () => {
    const { id } = await secret();
    await expectValidity({ id }, 3_600);
    await expectValidity({ id, expiresIn: 60 }, 60);
    await expectValidity({ id, expiresIn: 604_800 }, 604_800);
    await expectValidity({ id, expiresIn: 604_801 }, 604_800);
    await expectValidity({ id, expiresIn: 1e300 }, 604_800);
  });

  test("follows the configuration", async () => {
    const { id } = await secret("configured", other);
    await expectValidity({ id }, 120, other);
    await expectValidity({ id, expiresIn: 9_999 }, 600, other);
  });

  test("is rounded down, but not below one second", async () => {
    const { id } = await secret();
    await expectValidity({ id, expiresIn: 60.9 }, 60);
    await expectValidity({ id, expiresIn: 0.2 }, 1);
  });

  test("makes the URL expire", async () => {
    const { url, expiresAt } = await signed({ id: (await secret()).id, expiresIn: 1 });
    await untilAfter(Date.parse(expiresAt));
    expectFault(await send(server, "GET", `/${url}`), 404);
  });

  test.each([[0], [-1], [-0.5], ["60"], [""], [null], [true], [[60]], [{}]])(
    "%j is refused",
    async (expiresIn) => {
      const file = await secret();
      const answer = await expectUnchanged(server, () => sign({ id: file.id, expiresIn }));
      expectFault(answer, 400, /expiresIn/);
    },
  );

  test("rejects an infinite number", async () => {
    const file = await secret();
    expectFault(await sign(`{"id":"${file.id}","expiresIn":1e999}`), 400, /expiresIn/);
  });
});

describe("rejects", () => {
  test("neither id nor key", async () => {
    expectFault(await sign({}), 400, /id.*key/);
    expectFault(await sign({ expiresIn: 5 }), 400, /id.*key/);
  });

  test("id and key of different files", async () => {
    const one = await secret();
    const two = await secret();
    expectFault(await sign({ id: one.id, key: two.key }), 400);
  });

  test("values that are not strings", async () => {
    expectFault(await sign({ id: 5 }), 400, /id/);
    expectFault(await sign({ key: 5 }), 400, /key/);
    expectFault(await sign({ key: null }), 400, /key/);
  });

  test("an unknown file", async () => {
    const folder = await a.folder(unique("folder"));
    expectFault(await sign({ id: "nope" }), 404);
    expectFault(await sign({ key: "nope" }), 404);
    expectFault(await sign({ key: folder.key }), 404);
    expectFault(await sign({ id: folder.id }), 404);
  });
});
