import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api, type HeaderPairs } from "../client.ts";
import { expectData } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { raw } from "../raw.ts";
import { signedFolderData } from "../shapes.ts";
import { createSeededRandom } from "./seeded-random.ts";

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  const a = api(server);
  const secret = { visibility: "private" };
  await a.put("regatta/inside.txt", "inside", secret);
  await a.put("regatta/deep/inside.txt", "inside", secret);
  for (const beside of ["beside.txt", "regatta2/beside.txt", "regatte/beside.txt", "other/x.txt"]) {
    await a.put(beside, "beside", secret);
  }
  const signed = await a.json("POST", "/api/folders/sign", { key: "regatta" });
  [, , token = ""] = expectData(signed, signedFolderData).url.split("/");
});
afterAll(() => server.discard());

const get = (target: string, headers: HeaderPairs = {}) => raw(server.port, "GET", target, headers);
const status = async (path: string) => (await get(`/api/hosting/${path}`)).status;

/** What every response has of its own. */
const comparable = ({ status: code, headers, text }: Awaited<ReturnType<typeof get>>) => ({
  code,
  text,
  headers: headers.filter(([name]) => !/^(?:date|x-request-id)$/i.test(name)),
});

test("what is inside is served, in any encoding of its path", async () => {
  for (const path of [
    "inside.txt",
    "deep/inside.txt",
    "%69nside%2Etxt",
    "./inside.txt",
    "%2E/deep/./inside.txt",
    "/deep//inside.txt",
  ]) {
    expect([path, await status(`${token}/${path}`)]).toEqual([path, 200]);
  }
  expect(await status(`%7E${token.slice(1)}/inside.txt`)).toBe(200);
});

test("nothing beside the folder is reached", async () => {
  for (const path of [
    "../beside.txt",
    "../regatta2/beside.txt",
    "%2e%2e/beside.txt",
    "%2E./beside.txt",
    ".%2e/beside.txt",
    "%252e%252e/beside.txt",
    "..%2fbeside.txt",
    "..%5cbeside.txt",
    "..\\beside.txt",
    "deep/../../beside.txt",
    "deep/%2e%2e/%2e%2e/beside.txt",
    "/../beside.txt",
    "//../../beside.txt",
    "deep//../../../beside.txt",
    "%2fbeside.txt",
    "/beside.txt",
    "%00/../beside.txt",
    "..;/beside.txt",
    "..%00/beside.txt",
    "..%c0%afbeside.txt",
    "%c0%ae%c0%ae/beside.txt",
    "．．/beside.txt".replace(/[^!-~]/g, encodeURIComponent),
    "2/beside.txt",
    "e/../../regatte/beside.txt",
    "beside.txt",
    "regatta/inside.txt",
    "inside.txt/",
    "deep",
    "deep/",
    "",
    ".",
    "..",
  ]) {
    expect([path, await status(`${token}/${path}`)]).toEqual([path, 404]);
  }
  expect(await status(`${token}2/beside.txt`)).toBe(404);
  expect(await status(token)).toBe(404);
  expect(await status(`${token}%2Finside.txt`)).toBe(404);
});

test("the token works at the beginning of a path only, once, and at no other address", async () => {
  for (const path of [
    `regatta/${token}/inside.txt`,
    `${token}/${token}/inside.txt`,
    `x/../${token}/inside.txt`.replace("..", "%2e%2e"),
  ]) {
    expect([path, await status(path)]).toEqual([path, 404]);
  }
  for (const path of [
    `/api/files?key=${token}/inside.txt`,
    `/api/files/content?key=${token}/inside.txt`,
    `/api/folders?key=${token}`,
    `/api/files/download/${token}`,
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 401]);
  }
  for (const path of [`/s/${token}`, `/d/${token}`, `/${token}/inside.txt`]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test("unsafe methods are refused", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const response = await raw(server.port, method, `/api/hosting/${token}/inside.txt`);
    expect([method, response.status]).toEqual([method, 405]);
  }
});

test("of 2,000 mutated tokens none is accepted", async () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.=";
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = createSeededRandom(seed);
    const at = random.int(0, token.length);
    const added = alphabet[random.int(0, alphabet.length)] ?? "";
    const forged =
      token.slice(0, at) + added.repeat(random.int(0, 3)) + token.slice(at + random.int(0, 3));
    if (forged === token) continue;
    expect({ seed, forged, status: await status(`${forged}/inside.txt`) }).toEqual({
      seed,
      forged,
      status: 404,
    });
  }
});

describe("is answered byte for byte as a missing file", () => {
  const answers = async (path: string, headers: HeaderPairs = {}) =>
    comparable(await get(`/api/hosting/${path}`, headers));

  test.each<[string, HeaderPairs]>([
    ["plain", {}],
    ["as a page", { Accept: "text/html" }],
    ["with a range", { Range: "bytes=0-1" }],
    ["from another origin", { Origin: "https://evil.example" }],
    ["with a condition", { "If-None-Match": "*" }],
  ])("%s", async (_, headers) => {
    const a = api(server);
    const expired = await a.json("POST", "/api/folders/sign", { key: "regatta", expiresIn: 1 });
    const { url, expiresAt } = expectData(expired, signedFolderData);
    const [, , short = ""] = url.split("/");
    await Bun.sleep(Math.max(0, Date.parse(expiresAt) - Date.now()) + 50);
    const other = await startServer();
    const foreign = await (async () => {
      try {
        await api(other).put("regatta/inside.txt");
        const signed = await api(other).json("POST", "/api/folders/sign", { key: "regatta" });
        return expectData(signed, signedFolderData).url.split("/")[2] ?? "";
      } finally {
        await other.discard();
      }
    })();
    const tampered = `${token.slice(0, 20)}${token[20] === "A" ? "B" : "A"}${token.slice(21)}`;
    const missing = await answers("no/such/file.txt", headers);
    expect(missing.code).toBe(404);
    for (const path of [
      `${short}/inside.txt`,
      `${foreign}/inside.txt`,
      `${tampered}/inside.txt`,
      `${token}/none.txt`,
      `${token}/../beside.txt`,
    ]) {
      expect({ path, ...(await answers(path, headers)) }).toEqual({ path, ...missing });
    }
  });
});
