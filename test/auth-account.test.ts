import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { administrator, cookieOf, fromPage, signIn, trySignIn } from "./session.ts";
import { accountData, sessionsData, whoData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());

const needed = z.strictObject({
  needed: z.boolean(),
  passwordSignIn: z.literal(true),
  provider: z.null(),
});
const ended = z.strictObject({ ended: z.int() });

const who = (cookie: string, on = server) => fromPage(on, "GET", "/auth/session", cookie);
const sessions = async (cookie: string) =>
  expectData(await fromPage(server, "GET", "/auth/sessions", cookie), sessionsData).sessions;

test("60 sign-ins with the right password at once succeed, also after failures elsewhere", async () => {
  const attempt = (password: string) => trySignIn(server, administrator.ADMIN_EMAIL, password);
  for (const count of [12, 60]) {
    for (let guess = 0; guess < 3; guess += 1) expectFault(await attempt("a guess"), 401);
    const answers = await Promise.all(
      Array.from({ length: count }, () => attempt(administrator.ADMIN_PASSWORD)),
    );
    for (const answer of answers) expectData(answer, accountData);
  }
});

describe("setup", () => {
  const good = { email: "grace@example.com", password: "a long enough password" };

  /** The token of the setup link that the server has printed. */
  function printedToken(on: TestServer): string {
    const link = /https?:\/\/\S*setup\S*/.exec(on.output())?.[0] ?? "";
    const token = /[A-Za-z0-9_-]{20,}(?=\W*$)/.exec(link)?.[0];
    if (token === undefined) throw new Error(`No setup link in: ${on.output()}`);
    return token;
  }

  test("creates the account once, with the token of the printed link", async () => {
    const fresh = await startServer();
    try {
      const setup = (body: unknown) => fromPage(fresh, "POST", "/auth/setup", "", body);
      const state = async () => expectData(await send(fresh, "GET", "/auth/setup"), needed).needed;
      const token = printedToken(fresh);

      expect(await state()).toBe(true);
      expectFault(await trySignIn(fresh, good.email, good.password), 401);
      expectFault(await setup({ ...good, token: "wrong" }), 401);
      expectFault(await setup({ ...good, token: `${token}x` }), 401);
      expectFault(await setup(good), 400, /token/);
      expectFault(await setup({ ...good, token, email: "nobody" }), 400, /email/);
      expectFault(await setup({ ...good, token, password: "short" }), 400, /password/);
      expectFault(await setup({ ...good, token, password: "Password1" }), 400, /attackers try/);
      expect(await state()).toBe(true);

      const made = await setup({ ...good, token, email: " Grace@Example.com " });
      const { account } = expectData(made, accountData);
      expect(account.email).toBe(good.email);
      expect(expectData(await who(cookieOf(made), fresh), whoData).account).toEqual(account);
      expect(await state()).toBe(false);

      const again = await setup({ ...good, token, email: "mallory@example.com" });
      expectFault(again, again.status === 409 ? 409 : 401);
      expectFault(await trySignIn(fresh, "mallory@example.com", good.password), 401);
      expectData(await trySignIn(fresh, good.email, good.password), accountData);
    } finally {
      await fresh.discard();
    }
  });

  test("is done by ADMIN_EMAIL and ADMIN_PASSWORD, without a link", async () => {
    expect(expectData(await send(server, "GET", "/auth/setup"), needed).needed).toBe(false);
    expect(server.output()).not.toMatch(/https?:\/\/\S*setup/);
    expect(server.output()).not.toContain(administrator.ADMIN_PASSWORD);
    const answer = await fromPage(server, "POST", "/auth/setup", "", { ...good, token: "x" });
    expectFault(answer, answer.status === 409 ? 409 : 401);
  });
});

describe("sign-in", () => {
  test("returns the account and starts its session", async () => {
    const answer = await trySignIn(server, "Ada@Example.COM", administrator.ADMIN_PASSWORD);
    const { account } = expectData(answer, accountData);
    expect(account.email).toBe(administrator.ADMIN_EMAIL);
    const now = expectData(await who(cookieOf(answer)), whoData);
    expect(now.account).toEqual(account);
    expect(now.session).toMatchObject({ current: true, address: "127.0.0.1" });
    expect(answer.text).not.toContain(cookieOf(answer).split("=")[1] ?? "");
  });

  test("reports a wrong password and an unknown address alike", async () => {
    const one = await trySignIn(server, administrator.ADMIN_EMAIL, "wrong password");
    const two = await trySignIn(server, "nobody@example.com", "wrong password");
    const three = await trySignIn(server, administrator.ADMIN_EMAIL, "");
    expectFault(one, 401);
    expectFault(two, 401);
    expect([two.text, three.text]).toEqual([one.text, one.text]);
    expect(one.header("set-cookie")).toBeNull();
  });

  test.each([
    [{}, /email/],
    [{ email: 5, password: "x" }, /email/],
    [{ email: "a@b.c" }, /password/],
    [{ email: "a@b.c", password: null }, /password/],
  ])("rejects %j with 400", async (body, message) => {
    expectFault(await fromPage(server, "POST", "/auth/sign-in", "", body), 400, message);
  });

  test("throttles repeated failures with 429, then even for the right password", async () => {
    const throttled = await startServer(administrator);
    try {
      // The first wait is a second: on a busy machine it may be over before the next request.
      await eventually("the right password is refused, too", async () => {
        let last = await trySignIn(throttled, administrator.ADMIN_EMAIL, "guess 0");
        for (let guess = 1; guess < 40 && last.status !== 429; guess += 1) {
          expectFault(last, 401);
          last = await trySignIn(throttled, administrator.ADMIN_EMAIL, `guess ${guess}`);
        }
        expectFault(last, 429);
        expect(last.header("retry-after")).toMatch(/^[1-9]\d*$/);
        const right = administrator.ADMIN_PASSWORD;
        return (await trySignIn(throttled, administrator.ADMIN_EMAIL, right)).status === 429;
      });
      expect((await api(throttled).get("/api/files")).status).toBe(200);
    } finally {
      await throttled.discard();
    }
  });
});

describe("sessions", () => {
  test("are listed, with the current one marked", async () => {
    const one = await signIn(server);
    const two = await signIn(server);
    const listed = await sessions(two);
    expect(listed.length).toBeGreaterThanOrEqual(2);
    expect(listed.filter((session) => session.current).length).toBe(1);
    const current = listed.find((session) => session.current)?.id;
    expect(expectData(await who(two), whoData).session.id).toBe(current ?? "");
    expect(expectData(await who(one), whoData).session.id).not.toBe(current ?? "");
  });

  const end = (cookie: string, body: unknown) =>
    fromPage(server, "DELETE", "/auth/sessions", cookie, body);

  test("can be ended one by one, or all others at once", async () => {
    const [one, two, three] = [await signIn(server), await signIn(server), await signIn(server)];
    const { id } = expectData(await who(one), whoData).session;
    expect(expectData(await end(three, { id }), ended).ended).toBe(1);
    expectFault(await who(one), 401);
    expectFault(await end(three, { id }), 404);
    expectData(await who(two), whoData);
    expect(expectData(await end(three, { others: true }), ended).ended).toBeGreaterThan(0);
    expectFault(await who(two), 401);
    expect((await sessions(three)).length).toBe(1);
  });

  test.each([{}, { id: 5 }, { others: false }, { id: "x", others: true }])(
    "rejects %j with 400 and ends none",
    async (body) => {
      const [one, two] = [await signIn(server), await signIn(server)];
      expectFault(await end(one, body), 400);
      expectData(await who(two), whoData);
    },
  );
});

test("a password change ends every session and returns a new cookie", async () => {
  const fresh = await startServer(administrator);
  try {
    const [one, two] = [await signIn(fresh), await signIn(fresh)];
    const change = (cookie: string, currentPassword: string, newPassword: string) =>
      fromPage(fresh, "PUT", "/auth/password", cookie, { currentPassword, newPassword });
    expectFault(await change(one, "wrong password", "another password"), 401);
    expectFault(await change(one, administrator.ADMIN_PASSWORD, "short"), 400, /newPassword/);
    expectFault(await change(one, administrator.ADMIN_PASSWORD, "12345678"), 400, /attackers try/);
    expectData(await who(two, fresh), whoData);

    const answer = await change(one, administrator.ADMIN_PASSWORD, "another password");
    expectData(answer, accountData);
    const renewed = cookieOf(answer);
    expect(renewed).not.toBe(one);
    expectFault(await who(one, fresh), 401);
    expectFault(await who(two, fresh), 401);
    expectData(await who(renewed, fresh), whoData);
    const old = administrator.ADMIN_PASSWORD;
    expectFault(await trySignIn(fresh, administrator.ADMIN_EMAIL, old), 401);
    await signIn(fresh, "another password");

    await fresh.restart();
    expectData(await who(renewed, fresh), whoData);
    await signIn(fresh, "another password");
  } finally {
    await fresh.discard();
  }
});

test("an email change replaces the address for sign-in and keeps sessions", async () => {
  const fresh = await startServer(administrator);
  try {
    const cookie = await signIn(fresh);
    const { ADMIN_EMAIL: old, ADMIN_PASSWORD: password } = administrator;
    const change = (email: unknown, currentPassword: string) =>
      fromPage(fresh, "PUT", "/auth/email", cookie, { email, currentPassword });
    expectFault(await change("eve@example.com", "wrong password"), 401);
    expectFault(await change("no address", password), 400, /email/);
    expectFault(await trySignIn(fresh, "eve@example.com", password), 401);

    const { account } = expectData(await change("Eve@Example.com", password), accountData);
    expect(account.email).toBe("eve@example.com");
    expectData(await who(cookie, fresh), whoData);
    expectFault(await trySignIn(fresh, old, password), 401);
    expectData(await trySignIn(fresh, "eve@example.com", password), accountData);
  } finally {
    await fresh.discard();
  }
});

describe("account operations need a session, an API key is not enough", () => {
  test.each([
    ["GET", "/auth/session"],
    ["GET", "/auth/sessions"],
    ["DELETE", "/auth/sessions"],
    ["PUT", "/auth/email"],
    ["PUT", "/auth/password"],
    ["POST", "/auth/sign-out"],
  ])("%s %s", async (method, path) => {
    const body = method === "GET" ? undefined : {};
    expectFault(await fromPage(server, method, path, "", body), 401);
    expectFault(await api(server).json(method, path, body), 401);
  });
});
