import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { raw } from "./raw.ts";
import { signedData } from "./shapes.ts";

const server = await startServer();
const cached = await startServer({ HOSTING_CACHE_MAX_AGE: "3600" });
afterAll(async () => {
  await server.discard();
  await cached.discard();
});
const a = api(server);

const host = (target: string) => raw(server.port, "GET", target);

describe("a public file", () => {
  test("needs no key and has all headers of the contract", async () => {
    const from = Date.now();
    const file = await a.put(`${unique("host")}/page.html`, "<p>hello</p>");
    const answer = await host(`/${file.url}`);
    expect([answer.status, answer.text]).toEqual([200, "<p>hello</p>"]);
    expectSecurityHeaders(answer);
    expect(answer.all("content-type")).toEqual(["text/html; charset=utf-8"]);
    expect(answer.all("content-length")).toEqual(["12"]);
    expect(answer.all("accept-ranges")).toEqual(["bytes"]);
    expect(answer.all("cache-control")).toEqual(["public, max-age=0, must-revalidate"]);
    expect(answer.all("access-control-allow-origin")).toEqual(["*"]);
    expect(answer.all("cross-origin-resource-policy")).toEqual(["cross-origin"]);
    expect(answer.header("content-disposition") ?? "inline").toStartWith("inline");
    const [etag = "", ...more] = answer.all("etag");
    expect(more).toEqual([]);
    expect(etag).toMatch(/^"c-[0-9a-f]+"$/);
    const modified = Number.parseInt(etag.slice(3, -1), 16);
    expect(modified).toBeGreaterThanOrEqual(from);
    expect(modified).toBeLessThanOrEqual(Date.now());
    expect(answer.header("last-modified")).toBe(new Date(modified).toUTCString());
  });

  test("HOSTING_CACHE_MAX_AGE is its max-age", async () => {
    const file = await api(cached).put("file.txt");
    const answer = await send(cached, "GET", `/${file.url}`);
    expect(answer.header("cache-control")).toBe("public, max-age=3600, must-revalidate");
  });

  test.each([
    ["x.txt", "text/plain; charset=utf-8"],
    ["x.css", "text/css; charset=utf-8"],
    ["x.csv", "text/csv; charset=utf-8"],
    ["x.png", "image/png"],
    ["x.zip", "application/zip"],
    ["x", "application/octet-stream"],
  ])("%s is sent as %s", async (name, type) => {
    const file = await a.put(`${unique("host")}/${name}`);
    expect((await host(`/${file.url}`)).all("content-type")).toEqual([type]);
    const part = await raw(server.port, "GET", `/${file.url}`, { Range: "bytes=0-0" });
    expect(part.all("content-type")).toEqual([type]);
  });

  test("is served with a wrong key too", async () => {
    const file = await a.put(unique("host"));
    const answer = await send(server, "GET", `/${file.url}`, { "API-Key": "wrong" });
    expect(answer.status).toBe(200);
  });
});

describe("?download=1", () => {
  test("makes it an attachment", async () => {
    const file = await a.put(`${unique("host")}/a.txt`);
    const answer = await host(`/${file.url}?download=1`);
    expect(answer.status).toBe(200);
    expect(answer.header("content-disposition")).toMatch(/^attachment; filename="?a\.txt"?/);
    expect(answer.header("etag")).not.toBeNull();
  });

  test("grants no access", async () => {
    const file = await a.put(unique("host"), "x", { visibility: "private" });
    expectFault(await host(`/${file.url}?download=1`), 404);
  });
});

describe("a private file", () => {
  test("is served to an API key with no-store", async () => {
    const file = await a.put(`${unique("host")}.txt`, "secret", { visibility: "private" });
    const answer = await a.get(`/${file.url}`);
    expect([answer.status, answer.text]).toEqual([200, "secret"]);
    expectSecurityHeaders(answer);
    expect(answer.all("cache-control")).toEqual(["private, no-store"]);
    expect(answer.header("etag")).toBeNull();
    expect(answer.header("last-modified")).toBeNull();
    expect(answer.header("access-control-allow-origin")).toBeNull();
    expect(answer.header("accept-ranges")).toBe("bytes");
    expect(answer.header("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.header("content-length")).toBe("6");
  });

  test("is not served to a wrong key", async () => {
    const file = await a.put(unique("host"), "secret", { visibility: "private" });
    expectFault(await send(server, "GET", `/${file.url}`, { "API-Key": "wrong" }), 404);
    expectFault(await send(server, "GET", `/${file.url}`), 404);
  });
});

describe("an unknown key", () => {
  test("is 404 in the envelope, with the security headers", async () => {
    const answer = await host("/api/hosting/nothing/here.txt");
    expectFault(answer, 404);
    expectSecurityHeaders(answer);
    expect(answer.header("accept-ranges")).toBe("bytes");
  });

  test("includes the key of a folder", async () => {
    const folder = await a.folder(unique("host"));
    expectFault(await host(`/api/hosting/${folder.key}`), 404);
    expectFault(await host(`/api/hosting/${folder.key}/`), 404);
  });
});

test("rejects other methods with the security headers", async () => {
  const file = await a.put(unique("host"));
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const answer = await a.json(method, `/${file.url}`);
    expectFault(answer, 405);
    expectSecurityHeaders(answer);
  }
});

describe("the path is decoded once, and only dots and empty segments are folded", () => {
  test("other spellings of a file's key are 404", async () => {
    const folder = unique("tidy");
    const file = await a.put(`${folder}/sub/f.txt`, "x");
    expect((await host(`/api/hosting/${folder}/sub/f.txt`)).status).toBe(200);
    expect((await host(`/api/hosting/${folder}/%73ub/%66.txt`)).status).toBe(200);
    const targets = [
      `/${file.url}/`,
      `/${file.url}//`,
      `/${file.url}/.`,
      `/${file.url}/%2e`,
      `/api/hosting/${folder}/sub/../sub/f.txt`,
      `/api/hosting/${folder}/./sub/../sub/f.txt`,
      `/api/hosting/${folder}//../sub/f.txt`,
      `/api/hosting//../${folder}/sub/f.txt`,
      `/api/hosting//../../hosting/${folder}/sub/f.txt`,
      `/api/hosting/${folder}/sub/%2e%2e/sub/f.txt`,
      `/api/hosting/${folder}/sub/.%2E/sub/f.txt`,
      `/api/hosting/../hosting/${folder}/sub/f.txt`,
      `/api/hosting/%2e%2e/hosting/${folder}/sub/f.txt`,
      `/api/hosting/${folder}%2Fsub%2Ff.txt`,
      `/api/hosting/${folder}%2fsub/f.txt`,
      `/api/hosting/${folder}%5Csub%5Cf.txt`,
      `/api/hosting/${folder}\\sub\\f.txt`,
      `/api/hosting/${folder}/sub/f.txt%00`,
      `/api/hosting/${folder}/sub/%00`,
      `/api/hosting/${folder}/sub/f.txt%FF`,
      `/api/hosting/${folder}/sub/f.txt%zz`,
      `/api/hosting/${folder}/sub/f.txt%`,
      `/api/hosting/${folder}/sub/f.txt%2`,
      `/api/hosting/${folder}/sub/%C0%AEf`,
      `/api/hosting/${folder}/sub/%ED%A0%80`,
      `/api/hosting/${folder}/sub/f.txt%20`,
      `/api/hosting/${folder}/sub/%2566.txt`,
      `/api/hosting/${folder}/sub/F.txt`,
      "/api/hosting/",
      "/api/hosting//",
    ];
    for (const target of targets) {
      const answer = await host(target);
      expect([target, answer.status]).toEqual([target, 404]);
      expectFault(answer, 404);
    }
  });

  test("empty segments and single dots are folded, with credentials too", async () => {
    const folder = unique("folded");
    await a.put(`${folder}/sub/f.txt`, "public");
    const hidden = await a.put(`${folder}/sub/p.txt`, "private", { visibility: "private" });
    const made = await a.json("POST", "/api/files/sign", { id: hidden.id });
    const signed = new URL(expectData(made, signedData).url, server.url).search;
    const paths = [
      `/${folder}/sub/`,
      `${folder}//sub/`,
      `./${folder}/./sub/././`,
      `${folder}/%2e/sub/%2E/`,
      `//${folder}/.//sub//%2e/`,
    ];
    const missing = await host(`/api/hosting/${folder}/sub/none.txt`);
    for (const path of paths) {
      const at = (name: string) => host(`/api/hosting/${path}${name}`);
      const answers = [await at("f.txt"), await at(`p.txt${signed}`)];
      expect([path, ...answers.map(({ text }) => text)]).toEqual([path, "public", "private"]);
      const key = { "API-Key": server.apiKey };
      const target = `/api/hosting/${path}p.txt`;
      expect((await raw(server.port, "GET", target, key)).text).toBe("private");
      for (const name of ["p.txt", "none.txt", `f.txt/x${signed}`]) {
        const answer = await at(name);
        expect([answer.status, answer.text]).toEqual([404, missing.text]);
      }
    }
  });

  test("no path from outside leads into hosting", async () => {
    const file = await a.put(`${unique("tidy")}/f.txt`);
    for (const way of [
      "/api/./hosting/",
      "/api/x/../hosting/",
      "/api//hosting/",
      "/./api/hosting/",
    ]) {
      const target = file.url.replace("api/hosting/", way);
      const answer = await raw(server.port, "GET", target, { "API-Key": server.apiKey });
      expect([target, answer.status]).toEqual([target, 404]);
    }
  });

  test("no hosting path leads to the rest of the API", async () => {
    for (const target of ["/api/hosting/../health", "/api/hosting/%2e%2e/health"]) {
      expectFault(await host(target), 404);
    }
  });

  test("a name that looks encoded matches only itself", async () => {
    const folder = unique("encoded");
    const file = await a.put(`${folder}/a%2Fb%20c.txt`, "x");
    expect(file.url).toBe(`api/hosting/${folder}/a%252Fb%2520c.txt`);
    expect((await host(`/${file.url}`)).status).toBe(200);
    expectFault(await host(`/api/hosting/${folder}/a%2Fb%20c.txt`), 404);
  });

  test("a key of 129 segments or 5,000 bytes is 404 at once", async () => {
    expectFault(await host(`/api/hosting/${"d/".repeat(128)}f`), 404);
    expectFault(await host(`/api/hosting/${"d".repeat(5_000)}`), 404);
  });
});

describe("OPTIONS", () => {
  test("says which methods a hosting URL has, whether a file exists or not", async () => {
    const file = await a.put(`${unique("host")}.txt`, "x");
    for (const path of [`/${file.url}`, "/api/hosting/missing"]) {
      const answer = await send(server, "OPTIONS", path);
      expect([answer.status, answer.header("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    }
  });

  test("allows scripts every condition that the server evaluates", async () => {
    const answer = await send(server, "OPTIONS", "/api/hosting/any", {
      ...{ Origin: "https://x.example", "Access-Control-Request-Method": "GET" },
    });
    expect(answer.status).toBe(204);
    const allowed = answer.header("access-control-allow-headers")?.toLowerCase().split(", ");
    for (const name of ["range", "if-range", "if-match", "if-none-match", "if-modified-since"]) {
      expect(allowed).toContain(name);
    }
    expect(allowed).toContain("if-unmodified-since");
    expect(allowed).toContain("want-repr-digest");
  });
});
