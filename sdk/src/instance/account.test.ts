import { describe, expect, test } from "bun:test";
import { startClient, status, text } from "../client.fixture.ts";
import { type Fetch, Holdall } from "../holdall.ts";

const { server, holdall } = await startClient({
  ADMIN_EMAIL: "ada@example.com",
  ADMIN_PASSWORD: "correct horse battery",
});

describe("the account", () => {
  /** A client that stores cookies like a browser. */
  function browser(): Holdall {
    const cookies = new Map<string, string>();
    const fetchWithCookies: Fetch = async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("Origin", new URL(server.url).origin);
      headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
      const response = await fetch(url, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return response;
    };
    return new Holdall({ url: server.url, fetch: fetchWithCookies });
  }

  test("signs in, manages sessions, changes its password and signs out", async () => {
    const email = "ada@example.com";
    const { account } = browser();
    const other = browser();
    expect(await account.setupState()).toEqual({
      needed: false,
      passwordSignIn: true,
      provider: null,
    });
    expect(await status(account.setup({ token: "x", email, password: "another horse" }))).toBe(409);
    expect(await status(account.whoAmI())).toBe(401);
    expect(await status(account.signIn({ email, password: "wrong" }))).toBe(401);

    expect(await account.signIn({ email, password: "correct horse battery" })).toMatchObject({
      email,
    });
    await other.account.signIn({ email, password: "correct horse battery" });
    expect((await account.whoAmI()).session.current).toBe(true);
    await holdall.files.upload(text("x"), { name: "x" });
    expect((await other.files.list()).length).toBeGreaterThan(0);

    const sessions = await account.sessions();
    expect(sessions).toHaveLength(2);
    await account.endSession(sessions.find(({ current }) => !current)?.id ?? "");
    expect(await status(other.account.whoAmI())).toBe(401);
    await other.account.signIn({ email, password: "correct horse battery" });
    expect(await account.endOtherSessions()).toBe(1);

    const change = { currentPassword: "correct horse battery", newPassword: "an even longer one" };
    expect(await account.changePassword(change)).toMatchObject({ email });
    expect((await account.whoAmI()).account.email).toBe(email);
    await account.signOut();
    expect(await status(account.whoAmI())).toBe(401);
  });
});
