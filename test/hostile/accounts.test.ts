import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { api, send } from "../client.ts";
import { eventually, expectData, expectFault } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { raw } from "../raw.ts";
import { administrator, fromPage, signIn } from "../session.ts";
import { signedData, whoData } from "../shapes.ts";
import { expectUnchanged } from "../snapshot.ts";

const TRUST_LOCAL_PROXY = { TRUSTED_PROXIES: "127.0.0.1" };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ ...administrator, ...TRUST_LOCAL_PROXY });
});
afterAll(() => server.discard());

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const allOperations = Object.values<Operation>(operations);
const unsafeOperations = allOperations.filter(
  ({ method, access }) => !SAFE_METHODS.includes(method) && access !== "token",
);
/** The secret in their URL is the only credential that counts. */
const tokenOperations = allOperations.filter(
  ({ method, access }) => !SAFE_METHODS.includes(method) && access === "token",
);
const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\*?\}/g, "x");

describe("CSRF: another site cannot use a session for unsafe operations", () => {
  const crossSiteHeaders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "a script on another site": { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    "a sandboxed page": { Origin: "null" },
    "a sibling subdomain": { "Sec-Fetch-Site": "same-site" },
    "a form on another site, in an old browser": {
      Origin: "http://evil.example",
      "Content-Type": "text/plain",
    },
  };

  test.each(unsafeOperations.map((operation) => [operation.method, pathOf(operation)] as const))(
    "%s %s rejects requests of other sites that have a session cookie",
    async (method, path) => {
      const cookie = await sharedCookie();
      await expectUnchanged(server, async () => {
        for (const [sender, headers] of Object.entries(crossSiteHeaders)) {
          const answer = await send(
            server,
            method,
            path,
            { Cookie: cookie, "Content-Type": "application/json", ...headers },
            "{}",
          );
          expect([sender, answer.status]).toEqual([sender, 401]);
          expect(answer.header("set-cookie")).toBeNull();
          expect(answer.header("access-control-allow-origin")).toBeNull();
          expect(answer.header("access-control-allow-credentials")).toBeNull();
        }
      });
      expectData(await fromPage(server, "GET", "/auth/session", cookie), whoData);
    },
  );

  test.each(tokenOperations.map((operation) => [operation.method, pathOf(operation)] as const))(
    "%s %s finds nothing without its secret, with or without a session cookie",
    async (method, path) => {
      const own =
        method === "PATCH"
          ? { "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0" }
          : { "Content-Type": "application/json" };
      for (const headers of [own, { ...own, Cookie: await sharedCookie() }]) {
        const answer = await send(server, method, path, headers, "{}");
        expectFault(answer, 404);
        expect(answer.header("set-cookie")).toBeNull();
        expect(answer.header("access-control-allow-credentials")).toBeNull();
      }
    },
  );

  test("CORS preflights are refused", async () => {
    for (const path of new Set(unsafeOperations.map(pathOf))) {
      const answer = await send(server, "OPTIONS", path, {
        Origin: "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "api-key, content-type",
      });
      expect(answer.header("access-control-allow-origin")).toBeNull();
    }
  });

  test("a private file cannot be embedded by a same-site page, although the cookie is sent", async () => {
    const { url } = await api(server).put("sibling.png", "private", { visibility: "private" });
    const read = async (path: string, site: string, dest: string) => {
      const headers = {
        Cookie: await sharedCookie(),
        "Sec-Fetch-Site": site,
        "Sec-Fetch-Dest": dest,
      };
      return (await send(server, "GET", path, headers)).status;
    };
    for (const dest of ["image", "script", "iframe", "video", "empty"]) {
      expect([dest, await read(`/${url}`, "same-site", dest)]).toEqual([dest, 404]);
      expect([dest, await read("/api/files", "same-site", dest)]).toEqual([dest, 401]);
      expect([dest, await read(`/${url}`, "same-origin", dest)]).toEqual([dest, 200]);
    }
    for (const site of ["none", "same-site", "cross-site"]) {
      expect([site, await read(`/${url}`, site, "document")]).toEqual([site, 200]);
    }
    const signed = expectData(
      await api(server).json("POST", "/api/files/sign", { key: "sibling.png" }),
      signedData,
    );
    expect(await read(`/${signed.url}`, "same-site", "image")).toBe(200);
  });

  let cookie: Promise<string> | undefined;
  const sharedCookie = (): Promise<string> => {
    cookie ??= signIn(server);
    return cookie;
  };
});

describe("password guessing (brute force)", () => {
  const guess = (
    on: TestServer,
    password: string,
    client: string,
    email: string = administrator.ADMIN_EMAIL,
  ) =>
    fromPage(on, "POST", "/auth/sign-in", "", { email, password }, { "X-Forwarded-For": client });

  async function guessMany(clientOf: (at: number) => string, emailOf?: (at: number) => string) {
    const on = await startServer({ ...administrator, ...TRUST_LOCAL_PROXY });
    try {
      const count = { checked: 0, refused: 0 };
      for (let at = 0; at < 1_000; at += 1) {
        const answer = await guess(on, `guess ${at}`, clientOf(at), emailOf?.(at));
        expect([401, 429]).toContain(answer.status);
        if (answer.status === 401) count.checked += 1;
        else count.refused += 1;
        if (answer.status === 429) expect(answer.header("retry-after")).toMatch(/^[1-9]\d*$/);
      }
      return count;
    } finally {
      await on.discard();
    }
  }

  test("only a few of 1,000 attempts from one address are checked", async () => {
    expect((await guessMany(() => "192.0.2.1")).checked).toBeLessThan(20);
  });

  test("only a few of 1,000 attempts from one IPv6 network are checked", async () => {
    const { checked } = await guessMany((at) => `2001:db8::${at.toString(16)}`);
    expect(checked).toBeLessThan(20);
  });

  test("of 1,000 attempts on one account, only two from each of many networks are checked", async () => {
    const NETWORKS = 50;
    const { checked } = await guessMany((at) => `198.51.100.${at % NETWORKS}`);
    // And the first ten, and one after each wait, of which a slow machine has some meanwhile.
    expect(checked).toBeLessThan(2 * NETWORKS + 10 + 90);
  });

  test("only a few of 1,000 attempts from one address on different accounts are checked", async () => {
    const { checked } = await guessMany(
      () => "192.0.2.1",
      (at) => `user-${at}@example.com`,
    );
    expect(checked).toBeLessThan(20);
  });

  test("does not lock out an existing session", async () => {
    const on = await startServer({ ...administrator, ...TRUST_LOCAL_PROXY });
    try {
      const correct = administrator.ADMIN_PASSWORD;
      expect((await guess(on, correct, "203.0.113.7")).status).toBe(200);
      // On a busy machine, a wait of a second or two may be over before the next request.
      await eventually("the account is locked for those who have failed", async () => {
        for (let at = 0; at < 40; at += 1) await guess(on, `guess ${at}`, `198.51.100.${at % 4}`);
        return (await guess(on, correct, "198.51.100.3")).status === 429;
      });
      expect((await guess(on, correct, "203.0.113.7")).status).toBe(200);
    } finally {
      await on.discard();
    }
  });
});

describe("open redirects and clickjacking", () => {
  const paths = [
    "/",
    "/sign-in",
    "/setup",
    "/files",
    "/files/a/b",
    "/keys",
    "/settings",
    "/activity",
    "/overview",
    "/docs",
    "/docs/durability",
    "/none",
    "//evil.example",
    "//evil.example/%2e%2e",
    "/%2f%2fevil.example",
    "/sign-in?next=https://evil.example",
    "/sign-in?redirect=//evil.example",
    "/auth/sign-out",
    "/auth/session?return=https://evil.example",
  ];

  test("a document that has moved leads to the same site, whatever the headers say", async () => {
    const answer = await raw(server.port, "GET", "/durability", {
      Accept: "text/html",
      "X-Forwarded-Host": "evil.example",
    });
    expect([answer.status, answer.header("location")]).toEqual([308, "docs/durability"]);
  });

  test.each(paths)("%s redirects nowhere and allows no framing", async (path) => {
    const answer = await raw(server.port, "GET", path, {
      Accept: "text/html",
      "X-Forwarded-Host": "evil.example",
    });
    expect(answer.status < 300 || answer.status >= 400).toBe(true);
    expect([answer.header("location"), answer.header("refresh")]).toEqual([null, null]);
    expect(answer.text).not.toContain("evil.example");
    expect(answer.header("x-content-type-options")).toBe("nosniff");
    // Only pages can be framed.
    if (answer.header("content-type") !== "application/json; charset=utf-8") {
      expect(answer.header("content-security-policy")).toContain("frame-ancestors 'none'");
    }
  });
});

test("XSS: responses with markup in a file name are JSON with nosniff", async () => {
  const name = "</script><img src=x onerror=alert(1)>.txt";
  const file = await api(server).put(`markup/${name}`.replace("</", "<"), "x");
  for (const path of [
    `/api/files?id=${file.id}`,
    "/api/files",
    "/api/folders?key=markup",
    "/api/search?q=img",
  ]) {
    const answer = await api(server).get(path, { Accept: "text/html" });
    expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.header("x-content-type-options")).toBe("nosniff");
  }
});
