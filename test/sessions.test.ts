import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, cookieOf, fromPage, signIn, trySignIn } from "./session.ts";
import { filesData, folderData, keysData, whoData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());

/** The name and the lower-case attributes of the only session cookie. */
function attributes(values: readonly string[]): { name: string; flags: string[] } {
  const set = values.filter((value) => value.includes("holdall_session"));
  expect(set.length).toBe(1);
  const [pair = "", ...flags] = (set[0] ?? "").split(";").map((piece) => piece.trim());
  return { name: pair.split("=")[0] ?? "", flags: flags.map((flag) => flag.toLowerCase()) };
}

const JSON_TYPE = { "Content-Type": "application/json" };

describe("the session cookie", () => {
  test("is HttpOnly, SameSite=Lax, for all paths, and not Secure over HTTP", async () => {
    const answer = await trySignIn(server, administrator.ADMIN_EMAIL, administrator.ADMIN_PASSWORD);
    const { name, flags } = attributes(answer.all("set-cookie"));
    expect(name).toBe("holdall_session");
    expect(flags).toContain("httponly");
    expect(flags).toContain("samesite=lax");
    expect(flags).toContain("path=/");
    expect(flags).not.toContain("secure");
    expect(flags.some((flag) => flag.startsWith("domain"))).toBe(false);
  });

  test("is new at each sign-in, whatever cookie the request has", async () => {
    const planted = `holdall_session=${"p".repeat(43)}`;
    const body = { email: administrator.ADMIN_EMAIL, password: administrator.ADMIN_PASSWORD };
    const first = cookieOf(await fromPage(server, "POST", "/auth/sign-in", planted, body));
    expect(first).not.toBe(planted);
    const second = cookieOf(await fromPage(server, "POST", "/auth/sign-in", first, body));
    expect(second).not.toBe(first);
    expectFault(await fromPage(server, "GET", "/auth/session", planted), 401);
  });
});

describe("a session", () => {
  test("gives access to the same JSON API as a key", async () => {
    const cookie = await signIn(server);
    const page = (method: string, path: string, body?: unknown) =>
      fromPage(server, method, path, cookie, body);
    expectData(await page("GET", "/api/files"), filesData);
    expectData(await page("GET", "/api/keys"), keysData);
    const made = await page("POST", "/api/folders", { folder: unique("session") });
    const { folder } = expectData(made, folderData);
    const file = await api(server).put(`${folder.key}/f`);
    for (const [method, path, body] of [
      ["PUT", "/api/files", { id: file.id, visibility: "private" }],
      ["POST", "/api/files/sign", { id: file.id }],
      ["GET", `/api/files/download/${file.id}`, undefined],
      ["DELETE", "/api/files", { id: file.id }],
      ["PUT", "/api/folders", { id: folder.id, name: unique("renamed") }],
      ["DELETE", "/api/folders", { id: folder.id }],
    ] as const) {
      expect([method, path, (await page(method, path, body)).status]).toEqual([method, path, 200]);
    }
  });

  test("gives access to private hosted files", async () => {
    const cookie = await signIn(server);
    const file = await api(server).put(unique("secret"), "x", { visibility: "private" });
    const answer = await send(server, "GET", `/${file.url}`, { Cookie: `a=b; ${cookie}; c=d` });
    expect([answer.status, answer.text]).toEqual([200, "x"]);
    expect(answer.header("cache-control")).toBe("private, no-store");
  });

  test("ends at sign-out, which removes its cookie", async () => {
    const cookie = await signIn(server);
    const other = await signIn(server);
    const answer = await fromPage(server, "POST", "/auth/sign-out", cookie);
    expect(answer.status).toBe(200);
    const [set = ""] = answer.all("set-cookie");
    expect(set).toMatch(/^holdall_session=;/);
    expect(set).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/i);
    expectFault(await fromPage(server, "GET", "/api/files", cookie), 401);
    const file = await api(server).put(unique("secret"), "x", { visibility: "private" });
    expectFault(await send(server, "GET", `/${file.url}`, { Cookie: cookie }), 404);
    expectData(await fromPage(server, "GET", "/auth/session", other), whoData);
  });

  test.each(["", "x", "x".repeat(43), "..", "%00", "é", "null", "x".repeat(3_000)])(
    "is refused with the cookie %j",
    async (value) => {
      const answer = await send(server, "GET", "/api/files", {
        Cookie: `holdall_session=${encodeURIComponent(value)}`,
      });
      expect(expectFault(answer, 401)).toBe("Unauthorized");
    },
  );
});

describe("CSRF protection", () => {
  const origins = () => [
    "https://evil.example",
    "null",
    "",
    server.url.replace(/\d+$/, "1"),
    `${server.url}.evil.example`,
    `${server.url}0`,
    `https://evil.example/${server.url}`,
    server.url.replace("127.0.0.1", "localhost.evil.example"),
  ];

  test("refuses unsafe requests of a session from another or an unknown origin", async () => {
    const cookie = await signIn(server);
    const file = await api(server).put(`${unique("origin")}/f`);
    const requests = [
      ["POST", "/api/folders", { folder: unique("origin") }],
      ["PUT", "/api/files", { id: file.id, visibility: "private" }],
      ["PUT", "/api/folders", { id: file.folderId, name: "moved" }],
      ["DELETE", "/api/files", { id: file.id }],
      ["DELETE", "/api/folders", { id: file.folderId }],
      ["POST", "/api/files/sign", { id: file.id }],
      ["POST", "/api/keys", { name: "mine" }],
      ["POST", "/auth/sign-out", undefined],
      ["DELETE", "/auth/sessions", { others: true }],
    ] as const;
    const evidence = [...origins().map((origin) => ({ Origin: origin })), {}];
    for (const given of evidence) {
      await expectUnchanged(server, async () => {
        for (const [method, path, body] of requests) {
          const headers = { Cookie: cookie, ...(body && JSON_TYPE), ...given };
          const answer = await send(server, method, path, headers, body && JSON.stringify(body));
          expect([401, 403]).toContain(answer.status);
          expectFault(answer, answer.status);
        }
      });
    }
    expectData(await fromPage(server, "GET", "/auth/session", cookie), whoData);
  });

  test("allows reads of a session from another origin", async () => {
    const headers = { Cookie: await signIn(server), Origin: "https://evil.example" };
    const answer = await send(server, "GET", "/api/files", headers);
    expectData(answer, filesData);
    expect(answer.header("access-control-allow-origin")).toBeNull();
  });

  test("does not apply to API keys", async () => {
    const headers = { Origin: "https://elsewhere.example" };
    const body = { folder: unique("origin") };
    expectData(await api(server).json("POST", "/api/folders", body, headers), folderData);
  });
});
