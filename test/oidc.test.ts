import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import {
  codeOf,
  PENDING,
  roleOf,
  SESSION,
  signInWithPassword,
  startOidc,
  whoIs,
} from "./oidc.fixture.ts";
import { createVisitor, ORIGIN } from "./oidc-visitor.fixture.ts";
import { administrator, trySignIn } from "./session.ts";
import { withServer } from "./with-server.ts";

const fixture = await startOidc();
const { provider, environment, server, visitor, stranger, person } = fixture;
afterAll(fixture.discard);
beforeEach(() => provider.lie({}));

describe("signing in with the provider", () => {
  test("makes an account the first time, and finds it by the subject from then on", async () => {
    const lies = stranger();
    provider.lie(lies);
    const browser = visitor();
    const answer = await browser.signIn("?to=%2Ffiles%2Fphotos%3Fview%3Dgrid");
    expect(answer.status).toBe(303);
    expect(answer.header("location")).toBe("/files/photos?view=grid");
    expect(answer.header("cache-control")).toBe("no-store");
    expect(answer.all("set-cookie").find((each) => each.startsWith(SESSION))).toMatch(
      /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(browser.cookies.has(PENDING)).toBe(false);
    const { account, session } = await whoIs(browser);
    expect(account.email).toBe(`${person()}@example.com`);
    expect(await roleOf(browser)).toBe("member");
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(12 * 3_600_000);

    provider.lie({ ...lies, claims: { ...lies.claims, email: "other@example.com" } });
    const again = visitor();
    await again.signIn();
    expect((await whoIs(again)).account).toEqual(account);
  });

  test("keeps the pending sign-in in a cookie that scripts cannot read", async () => {
    const answer = await visitor().request("GET", "/auth/oidc");
    expect(answer.status).toBe(303);
    expect(answer.header("location")).toStartWith(`${provider.issuer}/authorize?`);
    const [cookie] = answer.all("set-cookie");
    expect(cookie).toMatch(
      /^__Host-holdall_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const state = new URL(answer.header("location") ?? "").searchParams.get("state") ?? "?";
    expect(cookie).not.toContain(state);
  });

  test("is told to the sign-in page", async () => {
    const { host } = new URL(provider.issuer);
    const data = z.object({
      needed: z.boolean(),
      passwordSignIn: z.boolean(),
      provider: z.string(),
    });
    expect(expectData(await visitor().request("GET", "/auth/setup"), data)).toEqual({
      needed: false,
      passwordSignIn: true,
      provider: host,
    });
  });

  test("is in the activity, with who it was or why not", async () => {
    provider.lie(stranger());
    await visitor().signIn();
    const email = `${person()}@example.com`;
    provider.lie(stranger({ groups: [] }));
    await visitor().signIn();
    const read = async () =>
      JSON.parse(
        (await api(server).json("GET", "/api/activity?action=signInWithOidc&limit=2")).text,
      ).data.activity;
    await eventually("both are written", async () => (await read())[1]?.actor.name === email);
    expect(await read()).toMatchObject([
      { outcome: "failed", actor: { kind: "none" }, detail: { code: "not_admitted" } },
      { outcome: "done", actor: { kind: "account", name: email }, subject: { name: email } },
    ]);
  });

  test.each([
    ["//evil.example.com"],
    ["/\\evil.example.com"],
    ["\\\\evil.example.com"],
    ["https://evil.example.com/"],
    ["/\t/evil.example.com"],
    ["/..//evil.example.com"],
    ["/.//evil.example.com"],
    ["javascript:alert(1)"],
    [`/${"x".repeat(2000)}`],
    [""],
  ])("does not lead to %j", async (to) => {
    provider.lie(stranger());
    const answer = await visitor().signIn(`?to=${encodeURIComponent(to)}`);
    expect(answer.status).toBe(303);
    expect(answer.header("location")).toBe("/files");
  });
});

test("signing in works below a path of a proxy", async () => {
  await withServer({ ...environment, PUBLIC_URL: `${ORIGIN}/holdall` }, async (own) => {
    provider.lie(stranger());
    const browser = createVisitor(own, provider);
    const path = await browser.begin("?to=/files/photos");
    expect(path).toStartWith("/holdall/auth/oidc/callback?");
    // The proxy takes the prefix away.
    const answer = await browser.request("GET", path.slice("/holdall".length));
    expect(answer.status).toBe(303);
    expect(answer.header("location")).toBe("/holdall/files/photos");
  });
});

test("signing out leads to the provider's page, if the provider has signed in", async () => {
  provider.lie({
    ...stranger(),
    metadata: { end_session_endpoint: `${provider.issuer}/end` },
  });
  await withServer(environment, async (own) => {
    const browser = createVisitor(own, provider);
    await browser.signIn();
    const answer = await browser.request("POST", "/auth/sign-out");
    expect(JSON.parse(answer.text).data.url).toBe(
      `${provider.issuer}/end?client_id=holdall&post_logout_redirect_uri=${encodeURIComponent(`${ORIGIN}/sign-in`)}`,
    );
    expect(browser.cookies.has(SESSION)).toBe(false);
    await signInWithPassword(browser);
    const other = await browser.request("POST", "/auth/sign-out");
    expect(JSON.parse(other.text).data.url).toBe(null);
  });
});

test("signing out does not wait for a provider that does not answer", async () => {
  provider.lie(stranger());
  await withServer(environment, async (own) => {
    const browser = createVisitor(own, provider);
    await browser.signIn();
    // Its metadata are not known any more.
    await own.restart();
    provider.lie({ respond: { "/.well-known/openid-configuration": () => {} } });
    const start = performance.now();
    const answer = await browser.request("POST", "/auth/sign-out");
    expect(performance.now() - start).toBeLessThan(8000);
    expect(JSON.parse(answer.text).data.url).toBe(null);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });
});

test("PASSWORD_SIGN_IN=false refuses right passwords, and a restart without it accepts them", async () => {
  await withServer({ ...environment, PASSWORD_SIGN_IN: "false" }, async (own) => {
    const browser = createVisitor(own, provider);
    const answer = await signInWithPassword(browser);
    expectFault(answer, 403, /Passwords do not sign in here/);
    expect(codeOf(answer)).toBe("password_sign_in_off");
    const setup = await browser.request("GET", "/auth/setup");
    expect(JSON.parse(setup.text).data.passwordSignIn).toBe(false);
    provider.lie(stranger({ groups: ["admins"] }));
    expect((await browser.signIn()).status).toBe(303);
    const made = await browser.request("POST", "/api/accounts/invite", { role: "member" });
    const [, token = ""] = /#([^"]+)/.exec(made.text) ?? [];
    const refused = await createVisitor(own, provider).request("POST", "/auth/invite", {
      token,
      email: "grace@example.com",
      password: administrator.ADMIN_PASSWORD,
    });
    expect(codeOf(refused)).toBe("password_sign_in_off");
    await own.restart({ PASSWORD_SIGN_IN: undefined });
    const again = await signInWithPassword(browser);
    expect(again.status).toBe(200);
  });
});

test("a new server gets its first owner from OIDC_OWNERS, and nobody before", async () => {
  const fresh = { ...environment, ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined };
  await withServer(fresh, async (own) => {
    const browser = createVisitor(own, provider);
    provider.lie(stranger({ groups: ["staff"] }));
    expectFault(await browser.signIn(), 403, /not set up yet/);
    provider.lie(stranger({ groups: ["admins"] }));
    expect((await browser.signIn()).status).toBe(303);
    const setup = await browser.request("GET", "/auth/setup");
    expect(JSON.parse(setup.text).data.needed).toBe(false);
    // The only owner stays one.
    provider.lie({ claims: { sub: person(), groups: [] } });
    await browser.signIn();
    expect(await roleOf(browser)).toBe("owner");
    expect((await trySignIn(own, `${person()}@example.com`, "")).status).toBe(401);
  });
});
