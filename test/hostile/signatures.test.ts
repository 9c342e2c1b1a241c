import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api } from "../client.ts";
import { expectData } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { raw } from "../raw.ts";
import { signedData } from "../shapes.ts";
import { fuzzSignature, isValidSignatureAccepted } from "./fuzz-signature.ts";
import { isEquivalent, mutatedQuery } from "./mutated-query.ts";
import { createSeededRandom } from "./seeded-random.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.discard());

const status = async (target: string) => (await raw(server.port, "GET", target)).status;

async function signedFile(key: string) {
  const file = await api(server).put(key, "secret", { visibility: "private" });
  const answer = await api(server).json("POST", "/api/files/sign", { id: file.id });
  const query = expectData(answer, signedData).url.split("?")[1] ?? "";
  const given = new URLSearchParams(query);
  return { file, query, exp: given.get("exp") ?? "", sig: given.get("sig") ?? "" };
}

test("none of 20,000 forged signatures is accepted", () => {
  expect(isValidSignatureAccepted()).toBe(true);
  for (let seed = 0; seed < 20_000; seed += 1) {
    expect({ seed, query: fuzzSignature(seed) }).toEqual({ seed, query: undefined });
  }
});

test("of 500 mutated queries over HTTP, only equivalent encodings are accepted", async () => {
  const { file, query, ...valid } = await signedFile("wire/secret.txt");
  expect(await status(`/${file.url}?${query}`)).toBe(200);
  for (let seed = 0; seed < 500; seed += 1) {
    // Characters that are invalid in a request line are sent percent-encoded.
    const mutated = mutatedQuery(valid, createSeededRandom(seed)).replace(
      /[^!-~]/g,
      encodeURIComponent,
    );
    const expected = isEquivalent(mutated, valid) ? 200 : 404;
    expect({ mutated, status: await status(`/${file.url}?${mutated}`) }).toEqual({
      mutated,
      status: expected,
    });
  }
});

describe("a signature is valid for its file only, in any encoding of its key", () => {
  test("accepts other percent-encodings of the key", async () => {
    const { query } = await signedFile("keys/a b.txt");
    for (const path of ["keys/a%20b.txt", "%6beys/a%20b%2etxt", "k%65ys/%61%20%62.txt"]) {
      expect([path, await status(`/api/hosting/${path}?${query}`)]).toEqual([path, 200]);
    }
  });

  test("rejects other keys and other endpoints", async () => {
    const { file, query } = await signedFile("keys/plan.txt");
    await signedFile("keys/other.txt");
    for (const path of [
      "keys/other.txt",
      "keys/Plan.txt",
      "keys/plan.txt/",
      "keys//plan.txt/",
      "keys//../plan.txt",
      "keys/./plan.txt/.",
      "keys/x/../plan.txt",
      "keys/x/%2e%2e/plan.txt",
      "keys%2Fplan.txt",
      "keys%5Cplan.txt",
      "keys/plan.txt%00",
      "keys/plan%252etxt",
      "keys/plan.txt%20",
      "keys;x/plan.txt",
      "keys",
      "",
    ]) {
      expect([path, await status(`/api/hosting/${path}?${query}`)]).toEqual([path, 404]);
    }
    for (const path of [
      `/api/files/download/${file.id}`,
      "/api/files",
      `/api/files?id=${file.id}`,
      `/api/files?key=${file.key}`,
      "/api/folders",
    ]) {
      const joined = `${path}${path.includes("?") ? "&" : "?"}${query}`;
      expect([path, await status(joined)]).toEqual([path, 401]);
    }
  });

  test("rejects unsafe methods with 405", async () => {
    const { file, query } = await signedFile("keys/method.txt");
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      expect((await raw(server.port, method, `/${file.url}?${query}`)).status).toBe(405);
    }
    expect((await api(server).file(file.id)).id).toBe(file.id);
  });
});
