import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: undefined });
});
afterAll(() => server.discard());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

const PAGES = [
  "/",
  "/health",
  "/files",
  "/files/a/b%20c/%D7%90",
  "/keys",
  "/people",
  "/invite",
  "/webhooks",
  "/settings",
  "/settings/security",
  "/sign-in",
  "/setup",
];

async function assets(): Promise<string[]> {
  const page = await (await get("/")).text();
  return [...page.matchAll(/(?:src|href)="([^"]*\/app\/[^"]+)"/g)].map(([, path]) => path ?? "");
}

describe("the dashboard's page", () => {
  test.each(PAGES)("is served at %s with a policy that allows no other site", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const page = await answer.text();
    expect(page).not.toMatch(/<style|style=|<script>| on\w+=|\{\{/);
  });

  test("runs scripts with the nonce of this response only", async () => {
    const nonces = new Set<string>();
    for (let request = 0; request < 3; request += 1) {
      const answer = await get("/");
      const policy = answer.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'nonce-([\w+/]{22}==)' 'strict-dynamic'/.exec(policy)?.[1] ?? "";
      nonces.add(nonce);
      const scripts = [
        ...(await answer.text()).matchAll(/<(?:script|link rel="modulepreload") .*?>/g),
      ];
      expect(scripts).toHaveLength(2);
      for (const [tag] of scripts) expect(tag).toContain(` nonce="${nonce}"`);
    }
    expect(nonces.size).toBe(3);
  });

  test("every page says whether the request has a session cookie, and is stored only if it has one", async () => {
    const cookie = { Cookie: `holdall_session=${"a".repeat(43)}` };
    for (const path of ["/files", "/sign-in", "/nothing/here"]) {
      const accept = { Accept: "text/html,*/*" };
      const sessionOf = async (headers: Record<string, string>) => {
        const response = await get(path, { ...accept, ...headers });
        const session = /name="holdall-session" content="(\w+)"/.exec(await response.text())?.[1];
        return [session, response.headers.get("cache-control")];
      };
      expect(await sessionOf({})).toEqual(["none", "no-store"]);
      const short = { Cookie: "holdall_session=short; other=1" };
      expect(await sessionOf(short)).toEqual(["none", "no-store"]);
      expect(await sessionOf(cookie)).toEqual(["unknown", "no-cache"]);
    }
  });

  test("is the 404 page of unknown paths for browsers; programs get the envelope", async () => {
    const page = await get("/nothing/here", { Accept: "text/html,*/*" });
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const envelope = await get("/nothing/here");
    expect(envelope.status).toBe(404);
    expect(await envelope.json()).toEqual({
      data: null,
      error: { code: "not_found", message: "This path does not exist." },
    });
  });
});

describe("the dashboard's files", () => {
  test("are cached as immutable and compressed for clients that accept it", async () => {
    const paths = await assets();
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const plain = await get(path, { "Accept-Encoding": "identity" });
      expect(plain.status, path).toBe(200);
      expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(plain.headers.get("content-encoding")).toBeNull();
      const bytes = await plain.bytes();
      if (path.endsWith(".woff2")) continue;
      for (const encoding of ["br", "gzip"]) {
        const packed = await get(path, { "Accept-Encoding": encoding });
        expect(packed.headers.get("content-encoding"), path).toBe(encoding);
        expect(packed.headers.get("vary")).toBe("Accept-Encoding");
        // `fetch` has decoded the body.
        expect(await packed.bytes()).toEqual(bytes);
      }
      const refused = await get(path, { "Accept-Encoding": "br;q=0, gzip;q=0.0" });
      expect(refused.headers.get("content-encoding")).toBeNull();
    }
  });

  test("are only those of the dashboard", async () => {
    for (const name of ["files.json", "index.html", "stamp", "..%2f..%2f..%2fpackage.json", ""]) {
      const answer = await get(`/app/${name}`);
      expect(answer.status, name).toBe(404);
      expect((await answer.json()).data).toBeNull();
    }
  });
});

test("requests everything below the path of PUBLIC_URL", async () => {
  const below = await startServer({ PUBLIC_URL: "https://example.com/files%22/x" });
  try {
    const page = await (await fetch(`${below.url}/`)).text();
    expect(page).toContain('content="/files%22/x"');
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(path).toStartWith("/files%22/x/");
    }
  } finally {
    await below.discard();
  }
});
