import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { rankTest } from "./hostile/rank-test.ts";
import { type RawHttpResponse, raw } from "./raw.ts";
import { signedData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const folder = unique("hidden");
const secret = await a.put(`${folder}/secret.html`, "hidden content", { visibility: "private" });
const there = `/${secret.url}`;
const absent = there.replace("secret.html", "absent.html");

const brief = expectData(
  await a.json("POST", "/api/files/sign", { id: secret.id, expiresIn: 1 }),
  signedData,
);
const expired = brief.url.split("?")[1];
const other = await a.put(`${folder}/other.html`, "x", { visibility: "private" });
const foreign = expectData(
  await a.json("POST", "/api/files/sign", { id: other.id }),
  signedData,
).url.split("?")[1];
await untilAfter(Date.parse(brief.expiresAt));

/** The response as received, without the value of Date. */
const bytes = (answer: RawHttpResponse) =>
  answer.received.toString("latin1").replace(/^(date|x-request-id): .*$/gim, "$1: -");

const future = new Date(Date.now() + 86_400_000).toUTCString();
const fake = `exp=9999999999&sig=${"A".repeat(43)}`;

const shapes: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ["nothing special", "", {}],
  ["a range", "", { Range: "bytes=0-3" }],
  ["a range past the end", "", { Range: "bytes=999-" }],
  ["several ranges", "", { Range: "bytes=0-1,3-4" }],
  ["If-None-Match: *", "", { "If-None-Match": "*" }],
  ["If-Modified-Since", "", { "If-Modified-Since": future }],
  ["If-Range", "", { Range: "bytes=0-3", "If-Range": '"x"' }],
  ["If-Match", "", { "If-Match": '"x"' }],
  ["If-Unmodified-Since", "", { "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" }],
  ["a download", "?download=1", {}],
  ["a smaller size", "?size=small", {}],
  ["a forged signature", `?${fake}`, {}],
  ["an expired signature", `?${expired}`, {}],
  ["another file's signature", `?${foreign}`, {}],
  ["half a signature", "?exp=9999999999", {}],
  ["two signatures", `?${fake}&${fake}`, {}],
  ["a wrong key", "", { "API-Key": "wrong-wrong-wrong-wrong" }],
  ["an empty key", "", { "API-Key": "" }],
  ["a wrong cookie", "", { Cookie: `holdall_session=${"x".repeat(43)}` }],
  ["an origin", "", { Origin: "http://elsewhere.example" }],
  ["an encoding", "", { "Accept-Encoding": "gzip, br, zstd" }],
  ["another type", "", { Accept: "application/json" }],
  ["a browser", "", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }],
  ["a slash at the end", "/", {}],
  ["a file below", "/below", {}],
];

test("browsers get a page that looks like the other public ones, wherever the file would be", async () => {
  for (const path of ["/api/hosting/none", "/api/hosting/none/below/it.txt", "/api/hosting//x"]) {
    const answer = await send(server, "GET", path, { Accept: "text/html" });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.text).toContain("<h1>This file can&#39;t be opened</h1>");
    expect(answer.text).toContain('<link rel="stylesheet" href="/assets/links.css">');
  }
  expectFault(await send(server, "GET", "/api/hosting/none"), 404);
});

for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
  describe(`${method}: a private file is byte for byte like a missing one`, () => {
    test.each(shapes)("with %s", async (_what, query, headers) => {
      const hidden = await raw(server.port, method, there + query, headers);
      const missing = await raw(server.port, method, absent + query, headers);
      expect(bytes(hidden)).toBe(bytes(missing));
      expect(hidden.status).not.toBe(200);
      expect(hidden.received.includes("secret")).toBe(false);
      if (method === "GET" || method === "HEAD") expect(hidden.status).toBe(404);
    });
  });
}

test("a browser gets a page that says what may be wrong, a program the envelope", async () => {
  for (const target of [there, absent, `${there}?${expired}`]) {
    const page = await fetch(server.url + target, { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    // Browsers show an error instead of a sandboxed page with it.
    expect(page.headers.get("cross-origin-opener-policy")).toBeNull();
    expect(page.headers.get("vary")).toBe("Accept, Accept-Encoding");
    expect(await page.text()).toContain("the link may have expired");
    const program = await fetch(server.url + target);
    expect(program.headers.get("vary")).toBe("Accept");
    const error = { code: "not_found", message: "File not found." };
    expect(await program.json()).toEqual({ data: null, error });
  }
});

test("takes no measurably different time", async () => {
  const measure = async (target: string) => {
    const from = performance.now();
    await (await fetch(server.url + target)).arrayBuffer();
    return performance.now() - from;
  };
  for (let round = 0; round < 50; round += 1) await measure(there);
  const hidden: number[] = [];
  const missing: number[] = [];
  for (let round = 0; round < 500; round += 1) {
    hidden.push(await measure(there));
    missing.push(await measure(absent));
  }
  // `npm run hostile -- timing` measures 10,000 of each, with several kinds of request.
  expect(rankTest(hidden, missing).p).toBeGreaterThan(0.00001);
});
