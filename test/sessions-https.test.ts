import { afterAll, describe, expect, test } from "bun:test";
import { unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { rawRequest } from "./raw.ts";
import { administrator, cookieOf } from "./session.ts";
import { accountData, filesData, folderData } from "./shapes.ts";

const publicUrl = "https://files.example.com";
const server = await startServer({ ...administrator, PUBLIC_URL: publicUrl });
afterAll(() => server.discard());

/** A proxy may forward the browser's Host or send its own. */
const hosts = { forwarded: "files.example.com", own: `127.0.0.1:${server.port}` };

function sendRequest(
  method: string,
  path: string,
  host: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<HttpResponse> {
  const all = {
    Host: host,
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return rawRequest(server.port, [`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n"));
}

const signIn = (host: string, origin: string) =>
  sendRequest(
    "POST",
    "/auth/sign-in",
    host,
    { Origin: origin },
    JSON.stringify({
      email: administrator.ADMIN_EMAIL,
      password: administrator.ADMIN_PASSWORD,
    }),
  );

test("the cookie is Secure with the __Host- prefix, and only valid with it", async () => {
  const answer = await signIn(hosts.forwarded, publicUrl);
  expectData(answer, accountData);
  const [set = "", ...more] = answer.all("set-cookie");
  expect(more).toEqual([]);
  expect(set).toStartWith("__Host-holdall_session=");
  const flags = set.toLowerCase().split(/;\s*/);
  for (const flag of ["httponly", "samesite=lax", "path=/", "secure"]) {
    expect(flags).toContain(flag);
  }
  expect(flags.some((flag) => flag.startsWith("domain"))).toBe(false);

  const cookie = cookieOf(answer);
  const list = (value: string) =>
    sendRequest("GET", "/api/files", hosts.forwarded, { Cookie: value });
  expectData(await list(cookie), filesData);
  expectFault(await list(cookie.replace("__Host-", "")), 401);
});

describe("the origin of PUBLIC_URL", () => {
  test.each(Object.entries(hosts))("is accepted with the %s Host", async (_which, host) => {
    const answer = await signIn(host, publicUrl);
    expectData(answer, accountData);
    const headers = { Cookie: cookieOf(answer), Origin: publicUrl };
    const body = JSON.stringify({ folder: unique("secure") });
    expectData(await sendRequest("POST", "/api/folders", host, headers, body), folderData);
  });

  test.each([
    "http://files.example.com",
    "https://files.example.com:8443",
    "https://files.example.com.evil.example",
    "https://evil.example",
    "https://xfiles.example.com",
    "null",
  ])("differs from %s", async (origin) => {
    const cookie = cookieOf(await signIn(hosts.forwarded, publicUrl));
    for (const host of Object.values(hosts)) {
      const headers = { Cookie: cookie, Origin: origin };
      const body = JSON.stringify({ folder: unique("secure") });
      const answer = await sendRequest("POST", "/api/folders", host, headers, body);
      expect([401, 403]).toContain(answer.status);
      expectFault(answer, answer.status);
    }
  });
});
