import { describe, expect, test } from "bun:test";
import { api, send } from "./client.ts";
import { expectFault, expectSecurityHeaders } from "./expectations.ts";
import type { TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { withServer } from "./with-server.ts";

/** Expects a 429 in the envelope; returns the seconds to wait. */
function expectLimited(answer: HttpResponse): number {
  expectFault(answer, 429);
  const [seconds = "", ...more] = answer.all("retry-after");
  expect(more).toEqual([]);
  expect(seconds).toMatch(/^[1-9]\d*$/);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
  return Number(seconds);
}

/** Sends `count` requests, a few at a time; returns how many were allowed. */
async function countAllowed(server: TestServer, path: string, count: number): Promise<number> {
  let allowed = 0;
  for (let sent = 0; sent < count; sent += 20) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(20, count - sent) }, () => api(server).get(path)),
    );
    allowed += answers.filter((answer) => answer.status !== 429).length;
  }
  return allowed;
}

test("the API's paths share one budget; hosting has its own", () =>
  withServer({ RATE_LIMIT_API: "6", RATE_LIMIT_HOSTING: "3" }, async (server) => {
    const file = await api(server).put("file.txt");
    const statuses = [
      await api(server).get("/api/files"),
      await send(server, "GET", "/api/health"),
      await send(server, "GET", "/api/files"),
      await api(server).get("/api/unknown"),
      await api(server).get("/api/files?limit=x"),
    ].map((answer) => answer.status);
    expect(statuses).toEqual([200, 200, 401, 404, 400]);
    for (const path of ["/api/files", "/api/health", "/api/unknown", "/api/folders"]) {
      expectLimited(await api(server).get(path));
    }
    expectLimited(await api(server).json("POST", "/api/folders", { folder: "x" }));

    expect((await send(server, "GET", `/${file.url}`)).status).toBe(200);
    expect((await send(server, "HEAD", `/${file.url}`)).status).toBe(200);
    expect((await send(server, "GET", "/api/hosting/missing")).status).toBe(404);
    const limited = await send(server, "GET", `/${file.url}`);
    expectLimited(limited);
    expectSecurityHeaders(limited);
    expectLimited(await send(server, "GET", "/api/hosting/missing"));
    expectLimited(await api(server).get(`/${file.url}`));
  }));

test("downloads count as API requests, and refused ones have the security headers", () =>
  withServer({ RATE_LIMIT_API: "1" }, async (server) => {
    expectFault(await api(server).get("/api/files/download/nope"), 404);
    const limited = await api(server).get("/api/files/download/nope");
    expectLimited(limited);
    expectSecurityHeaders(limited);
  }));

test("the window starts with the first request", () =>
  withServer({ RATE_LIMIT_API: "2" }, async (server) => {
    const before = performance.now();
    await api(server).get("/api/files");
    const after = performance.now();
    await api(server).get("/api/files");
    for (const delay of [0, 2_100]) {
      // The time left must become shorter.
      await Bun.sleep(delay);
      // The server counts from a moment between `before` and `after`, to one between these.
      const from = performance.now();
      const left = expectLimited(await api(server).get("/api/files"));
      expect(left).toBeLessThanOrEqual(Math.ceil(60 - (from - after) / 1_000));
      expect(left).toBeGreaterThanOrEqual(Math.floor(60 - (performance.now() - before) / 1_000));
    }
  }));

test("refused requests have no effect", () =>
  withServer({ RATE_LIMIT_API: "1" }, async (server) => {
    const file = await api(server).put("file.txt");
    expectLimited(await api(server).json("DELETE", "/api/files", { id: file.id }));
    await server.restart();
    expect((await api(server).file(file.id)).id).toBe(file.id);
  }));

describe("a session", () => {
  const limits = { RATE_LIMIT_API: "8", RATE_LIMIT_HOSTING: "3", ...administrator };
  /** Uses up what a client may send. */
  async function exhaust(server: TestServer): Promise<void> {
    await countAllowed(server, "/api/health", 20);
    await countAllowed(server, "/api/hosting/missing", 5);
    expectLimited(await send(server, "GET", "/api/health"));
    expectLimited(await send(server, "GET", "/api/hosting/missing"));
  }

  test("has a budget of its own, which strangers at its address cannot use up", () =>
    withServer(limits, async (server) => {
      const cookie = await signIn(server);
      await exhaust(server);
      for (let sent = 0; sent < 30; sent += 1) {
        expect((await fromPage(server, "GET", "/api/files", cookie)).status).toBe(200);
        expect((await fromPage(server, "GET", "/api/hosting/missing", cookie)).status).toBe(404);
      }
      const made = await fromPage(server, "POST", "/api/folders", cookie, { folder: "x" });
      expect(made.status).toBeLessThan(300);
      // An API key counts against the client, whatever the cookie is.
      const both = { Cookie: cookie, "API-Key": server.apiKey };
      expectLimited(await send(server, "GET", "/api/files", both));
      expectLimited(await send(server, "GET", "/api/health"));
    }));

  test("is refused beyond RATE_LIMIT_SESSION, on the API and hosting together", () =>
    withServer({ ...limits, RATE_LIMIT_SESSION: "6" }, async (server) => {
      const one = await signIn(server);
      const two = await signIn(server);
      for (let sent = 0; sent < 3; sent += 1) {
        expect((await fromPage(server, "GET", "/api/files", one)).status).toBe(200);
        expect((await fromPage(server, "GET", "/api/hosting/missing", one)).status).toBe(404);
      }
      expectLimited(await fromPage(server, "GET", "/api/files", one));
      expectLimited(await fromPage(server, "GET", "/api/hosting/missing", one));
      expect((await fromPage(server, "GET", "/api/files", two)).status).toBe(200);
      expect((await api(server).get("/api/files")).status).toBe(200);
    }));

  // One process: invented tokens delay a session that another process has not seen yet.
  test("counts as a stranger when it has ended, is invented or comes from another site", () =>
    withServer({ ...limits, WORKERS: "1" }, async (server) => {
      const cookie = await signIn(server);
      const ended = await signIn(server);
      expect((await fromPage(server, "GET", "/api/files", cookie)).status).toBe(200);
      expect((await fromPage(server, "POST", "/auth/sign-out", ended)).status).toBe(200);
      await exhaust(server);
      // The server may remember the ended session for a minute: it counts there, and is refused.
      expect([401, 429]).toContain((await fromPage(server, "GET", "/api/files", ended)).status);
      const invented = `holdall_session=${"a".repeat(43)}`;
      for (let sent = 0; sent < 100; sent += 1) {
        expectLimited(await fromPage(server, "GET", "/api/files", invented));
      }
      const headers = { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "image" };
      expectLimited(await fromPage(server, "GET", "/api/hosting/x", cookie, undefined, headers));
      const origin = { Origin: "https://evil.example" };
      expectLimited(
        await fromPage(server, "POST", "/api/folders", cookie, { folder: "x" }, origin),
      );
      expect((await fromPage(server, "GET", "/api/files", cookie)).status).toBe(200);
    }));
});

describe("defaults", () => {
  test("300 a minute on the API, 600 on hosting", () =>
    withServer({ RATE_LIMIT_API: undefined, RATE_LIMIT_HOSTING: undefined }, async (server) => {
      expect(await countAllowed(server, "/api/health", 320)).toBe(300);
      expect(await countAllowed(server, "/api/hosting/missing", 620)).toBe(600);
    }));

  test("0 turns a limit off", () =>
    withServer({ RATE_LIMIT_API: "0", RATE_LIMIT_HOSTING: "2" }, async (server) => {
      expect(await countAllowed(server, "/api/health", 320)).toBe(320);
      expect(await countAllowed(server, "/api/hosting/missing", 5)).toBe(2);
    }));
});
