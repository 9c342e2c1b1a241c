import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import {
  CLIENT,
  type Lies,
  startHostileProvider,
} from "../server/access/oidc/hostile-provider.fixture.ts";
import { api } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { createVisitor, type OidcVisitor, ORIGIN } from "./oidc-visitor.fixture.ts";
import { administrator, trySignIn } from "./session.ts";
import { withServer } from "./with-server.ts";

const provider = await startHostileProvider();
const environment = {
  ...administrator,
  PUBLIC_URL: ORIGIN,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.clientId,
  OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  OIDC_OWNERS: "group:admins",
  OIDC_ALLOWED: "staff, @example.org",
};
const server = await startServer(environment);
afterAll(async () => {
  await server.discard();
  await provider.stop();
});
beforeEach(() => provider.lie({}));

const visitor = (): OidcVisitor => createVisitor(server, provider);
const SESSION = "__Host-holdall_session";
const PENDING = "__Host-holdall_oidc";

let counter = 0;
/** Lies about a person whom no test has seen. */
function stranger(claims: Record<string, unknown> = {}): Lies {
  counter += 1;
  const sub = `person-${counter}`;
  return {
    claims: { sub, email: `${sub}@example.com`, ...claims },
    userInfo: { sub },
  };
}

const whoData = z.object({
  account: z.object({ id: z.string(), email: z.string(), role: z.enum(["owner", "member"]) }),
  session: z.object({ createdAt: z.string(), expiresAt: z.string() }),
});
const whoIs = async (browser: OidcVisitor) =>
  expectData(await browser.request("GET", "/auth/session"), whoData);

const roleOf = async (browser: OidcVisitor) => (await whoIs(browser)).account.role;

const codeIn = (path: string): string => new URL(path, ORIGIN).searchParams.get("code") ?? "";

const codeOf = ({ text }: HttpResponse): string => JSON.parse(text).error.code;

/** Signs the administrator in with the password. */
async function administratorsBrowser(): Promise<OidcVisitor> {
  const browser = visitor();
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
  expect((await browser.request("POST", "/auth/sign-in", { email, password })).status).toBe(200);
  return browser;
}

const connect = (browser: OidcVisitor, currentPassword: string = administrator.ADMIN_PASSWORD) =>
  browser.request("POST", "/auth/oidc/connect", { currentPassword });

/** The path to which the provider sends a browser that connects. */
async function connecting(browser: OidcVisitor): Promise<string> {
  const begun = expectData(await connect(browser), z.object({ url: z.string() }));
  return (await provider.signIn(begun.url)).slice(ORIGIN.length);
}

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
    expect(account.email).toBe(`person-${counter}@example.com`);
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
    const email = `person-${counter}@example.com`;
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

describe("who gets in", () => {
  test("a group in OIDC_OWNERS makes an owner, and no more when it is left", async () => {
    const lies = stranger({ groups: ["admins"] });
    provider.lie(lies);
    const browser = visitor();
    await browser.signIn();
    expect(await roleOf(browser)).toBe("owner");
    provider.lie({ ...lies, claims: { ...lies.claims, groups: ["staff"] } });
    const later = visitor();
    await later.signIn();
    expect(await roleOf(later)).toBe("member");
  });

  test("a verified address of a domain in OIDC_ALLOWED", async () => {
    provider.lie(stranger({ groups: [], email: "eve@example.org" }));
    expect((await visitor().signIn()).status).toBe(303);
  });

  test.each([
    [{ email: "mallory@example.org", email_verified: false }],
    [{ email: "mallory@example.org", email_verified: "true" }],
    [{ email: "mallory@example.org", email_verified: undefined }],
    [{ email: "mallory@evil-example.org" }],
    [{ email: "mallory@example.org.evil.com" }],
    [{ email: "mallory@sub.example.org" }],
    [{ groups: "staff2" }],
    [{ groups: { staff: true } }],
    [{ groups: ["admin"], roles: ["admins"] }],
    [{ email: "admins" }],
  ])("nobody else: %j", async (claims) => {
    provider.lie(stranger({ groups: [], ...claims }));
    const browser = visitor();
    const answer = await browser.signIn();
    expectFault(answer, 403, /You have no account here.*person-\d+/);
    expect(codeOf(answer)).toBe("not_admitted");
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test("nobody without an address", async () => {
    provider.lie(stranger({ email: undefined }));
    expectFault(await visitor().signIn(), 403, /has not given your email address/);
  });

  test("not by the address of another account", async () => {
    provider.lie(stranger({ email: administrator.ADMIN_EMAIL, groups: ["admins"] }));
    const browser = visitor();
    const answer = await browser.signIn();
    expectFault(answer, 409, /Another account has the address ada@example.com/);
    expect(codeOf(answer)).toBe("email_taken");
    expect(browser.cookies.has(SESSION)).toBe(false);
    // Written otherwise, it is the same address.
    provider.lie(stranger({ email: "ADA@Example.com" }));
    expect(codeOf(await visitor().signIn())).toBe("email_taken");
  });

  test("once, when the same person comes back twice at once", async () => {
    provider.lie(stranger());
    const browsers = [visitor(), visitor(), visitor(), visitor()];
    const answers = await Promise.all(browsers.map((browser) => browser.signIn()));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const ids = await Promise.all(browsers.map(async (each) => (await whoIs(each)).account.id));
    expect(new Set(ids).size).toBe(1);
  });
});

describe("no session and a clear answer", () => {
  test.each([
    ["of another issuer", { claims: { iss: "https://evil.example.com" } }],
    ["for another client", { claims: { aud: "other" } }],
    ["with another nonce", { claims: { nonce: "other" } }],
    ["without a signature", { header: { alg: "none" }, signature: "none" }],
    ["signed with another key", { signature: "foreign key" }],
  ] as const)("for a token %s", async (_title, lies) => {
    provider.lie(lies);
    await withServer(environment, async (own) => {
      const browser = createVisitor(own, provider);
      const answer = await browser.signIn();
      expectFault(answer, 401, /answer of the sign-in provider is not valid/);
      expect(codeOf(answer)).toBe("invalid_token");
      expect(browser.cookies.has(SESSION)).toBe(false);
    });
  });

  test("in a browser that has begun nothing", async () => {
    const path = await visitor().begin();
    const answer = await visitor().request("GET", path);
    expectFault(answer, 400, /took too long, or began in another window/);
    expect(codeOf(answer)).toBe("sign_in_expired");
  });

  test("for a callback that was used", async () => {
    provider.lie(stranger());
    const browser = visitor();
    const path = await browser.begin();
    expect((await browser.request("GET", path)).status).toBe(303);
    expect(codeOf(await browser.request("GET", path))).toBe("sign_in_expired");
  });

  test("for a cookie that is changed, or of another server", async () => {
    const browser = visitor();
    const path = await browser.begin();
    const sealed = browser.cookies.get(PENDING) ?? "";
    const last = sealed.at(-1) === "A" ? "B" : "A";
    for (const other of [`${last}${sealed.slice(1)}`, `${sealed}AAAA`, "x", ""]) {
      browser.cookies.set(PENDING, other);
      expect((await browser.request("GET", path)).status).toBe(400);
    }
    browser.cookies.set(PENDING, sealed);
    await withServer(environment, async (own) => {
      const elsewhere = createVisitor(own, provider);
      elsewhere.cookies.set(PENDING, sealed);
      expect(codeOf(await elsewhere.request("GET", path))).toBe("sign_in_expired");
    });
  });

  test("as a page for people, which leads back", async () => {
    const answer = await visitor().request("GET", "/auth/oidc/callback?code=1", undefined, {
      Accept: "text/html",
    });
    expect(answer.status).toBe(400);
    expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.header("content-security-policy")).toContain("default-src 'none'");
    expect(answer.text).toContain("Begin again");
    expect(answer.text).toContain('href="../../sign-in"');
    expect(answer.text).not.toContain("Shared with");
  });

  test("while the provider is down", async () => {
    const down = await startHostileProvider();
    await down.stop();
    await withServer({ ...environment, OIDC_ISSUER: down.issuer }, async (own) => {
      const browser = createVisitor(own, provider);
      const answer = await browser.request("GET", "/auth/oidc");
      expectFault(answer, 503, /does not answer as it should/);
      expect(codeOf(answer)).toBe("provider_unavailable");
      expect(own.output()).toContain("The provider could not be reached");
      // Nobody is kept out who does not need the provider.
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
      const password_ = await browser.request("POST", "/auth/sign-in", { email, password });
      expect(password_.status).toBe(200);
    });
  });

  test("after five failures, for a while", async () => {
    await withServer(environment, async (own) => {
      const codes: string[] = [];
      for (let round = 0; round < 7; round += 1) {
        const browser = createVisitor(own, provider);
        provider.lie({ signature: "foreign key" });
        const answer = await browser.signIn();
        codes.push(codeOf(answer));
        if (answer.status === 429) expect(answer.header("retry-after")).toMatch(/^\d+$/);
      }
      expect(codes.slice(0, 5)).toEqual(Array(5).fill("invalid_token"));
      expect(codes.at(-1)).toBe("rate_limited");
      // The password of the same client is not affected.
      const browser = createVisitor(own, provider);
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
      const answer = await browser.request("POST", "/auth/sign-in", { email, password });
      expect(answer.status).toBe(200);
    });
  });

  test("without a provider", async () => {
    await withServer(administrator, async (own) => {
      for (const path of ["/auth/oidc", "/auth/oidc/callback?code=1&state=2"]) {
        expectFault(await createVisitor(own, provider).request("GET", path), 404, /no provider/);
      }
    });
  });
});

describe("an account that signs in with its password", () => {
  test("can be connected with the provider, and disconnected", async () => {
    const browser = await administratorsBrowser();
    const lies = stranger({ groups: [] });
    provider.lie(lies);
    const done = await browser.request("GET", await connecting(browser));
    expect(done.status).toBe(303);
    expect(done.header("location")).toBe("/settings/security");

    const other = visitor();
    expect((await other.signIn()).status).toBe(303);
    expect((await whoIs(other)).account.email).toBe(administrator.ADMIN_EMAIL);

    const listed = await browser.request("GET", "/auth/identities");
    const { identities } = JSON.parse(listed.text).data;
    expect(identities).toMatchObject([{ issuer: provider.issuer, subject: `person-${counter}` }]);
    const { issuer, subject } = identities[0];
    const removed = await browser.request("DELETE", "/auth/identities", { issuer, subject });
    expect(removed.status).toBe(200);
    const again = await browser.request("DELETE", "/auth/identities", { issuer, subject });
    expectFault(again, 404);
    expect(codeOf(await visitor().signIn())).toBe("not_admitted");
  });

  test("needs its password for that, and the same session", async () => {
    const browser = await administratorsBrowser();
    provider.lie(stranger());
    expectFault(await connect(browser, "wrong"), 401, /password is wrong/);
    expectFault(await connect(visitor()), 401);
    const path = await connecting(browser);
    const foreign = visitor();
    foreign.cookies.set(PENDING, browser.cookies.get(PENDING) ?? "");
    expect(codeOf(await foreign.request("GET", path))).toBe("sign_in_expired");
    const second = await administratorsBrowser();
    second.cookies.set(PENDING, browser.cookies.get(PENDING) ?? "");
    expect(codeOf(await second.request("GET", path))).toBe("sign_in_expired");
  });

  test("is not connected with somebody who has an account", async () => {
    provider.lie(stranger());
    await visitor().signIn();
    const browser = await administratorsBrowser();
    const answer = await browser.request("GET", await connecting(browser));
    expectFault(answer, 409, /signs in to another account here/);
    expect(codeOf(answer)).toBe("identity_taken");
  });

  test("keeps its role, whatever the groups say", async () => {
    // Not the last owner, who would stay one in any case.
    provider.lie(stranger({ groups: ["admins"] }));
    expect((await visitor().signIn()).status).toBe(303);
    const browser = await administratorsBrowser();
    const lies = stranger({ groups: ["staff"] });
    provider.lie(lies);
    await browser.request("GET", await connecting(browser));
    const other = visitor();
    await other.signIn();
    expect((await whoIs(other)).account.email).toBe(administrator.ADMIN_EMAIL);
    expect(await roleOf(other)).toBe("owner");
  });
});

describe("an invitation", () => {
  const accept = async (browser: OidcVisitor, token: string) =>
    browser.request("GET", await browser.beginWith(token));

  async function invite(role: "owner" | "member"): Promise<string> {
    const browser = await administratorsBrowser();
    const made = await browser.request("POST", "/api/accounts/invite", { role });
    const { url } = expectData(made, z.object({ url: z.string() }).loose());
    return url.slice(url.indexOf("#") + 1);
  }

  test("is accepted by signing in with the provider, once", async () => {
    const invitation = await invite("owner");
    provider.lie(stranger({ groups: [] }));
    const browser = visitor();
    const answer = await accept(browser, invitation);
    expect(answer.status).toBe(303);
    expect(answer.all("set-cookie").join()).not.toContain(invitation);
    expect((await whoIs(browser)).account.email).toBe(`person-${counter}@example.com`);

    provider.lie(stranger({ groups: [] }));
    const late = visitor();
    expectFault(await accept(late, invitation), 410, /accepted/);
    expect(late.cookies.has(SESSION)).toBe(false);
  });

  test("is accepted by one of two people at once", async () => {
    const invitation = await invite("member");
    const browsers: { browser: OidcVisitor; path: string }[] = [];
    for (let round = 0; round < 2; round += 1) {
      provider.lie(stranger({ groups: [] }));
      const browser = visitor();
      browsers.push({ browser, path: await browser.beginWith(invitation) });
    }
    // Each comes back as somebody else.
    const answers = await Promise.all(
      browsers.map(async ({ browser, path }, index) => {
        provider.lieTo(codeIn(path), stranger({ groups: [], sub: `guest-${index}` }));
        return browser.request("GET", path);
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  test("does not give an account that has the person's address", async () => {
    const invitation = await invite("owner");
    provider.lie(stranger({ groups: [], email: administrator.ADMIN_EMAIL }));
    const browser = visitor();
    expect(codeOf(await accept(browser, invitation))).toBe("email_taken");
    // It still works for somebody else.
    provider.lie(stranger({ groups: [] }));
    expect((await accept(visitor(), invitation)).status).toBe(303);
  });

  test("is not taken from a page of another site", async () => {
    const answer = await visitor().request(
      "POST",
      "/auth/oidc/invitation",
      { token: await invite("member") },
      { Origin: "https://evil.example.com" },
    );
    expectFault(answer, 401);
    expect(answer.all("set-cookie")).toEqual([]);
  });

  test("of another server, or made up, admits nobody", async () => {
    provider.lie(stranger({ groups: [] }));
    expectFault(await accept(visitor(), "x".repeat(43)), 410);
  });
});

test("a disabled account does not sign in with the provider", async () => {
  provider.lie(stranger());
  const browser = visitor();
  await browser.signIn();
  const { id } = (await whoIs(browser)).account;
  const owner = await administratorsBrowser();
  const change = await owner.request("PUT", "/api/accounts", { id, disabled: true });
  expect(change.status).toBe(200);
  expectFault(await browser.request("GET", "/auth/session"), 401);
  const answer = await browser.signIn();
  expectFault(answer, 403, /disabled/);
  expect(codeOf(answer)).toBe("account_disabled");
});

test("an account without a password stays connected", async () => {
  provider.lie(stranger());
  const browser = visitor();
  await browser.signIn();
  const identity = { issuer: provider.issuer, subject: `person-${counter}` };
  const answer = await browser.request("DELETE", "/auth/identities", identity);
  expectFault(answer, 409, /Nothing else signs in/);
  expectFault(await connect(browser, ""), 401);
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
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    await browser.request("POST", "/auth/sign-in", { email, password });
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
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    const answer = await browser.request("POST", "/auth/sign-in", { email, password });
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
      password,
    });
    expect(codeOf(refused)).toBe("password_sign_in_off");
    await own.restart({ PASSWORD_SIGN_IN: undefined });
    const again = await browser.request("POST", "/auth/sign-in", { email, password });
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
    provider.lie({ claims: { sub: `person-${counter}`, groups: [] } });
    await browser.signIn();
    expect(await roleOf(browser)).toBe("owner");
    expect((await trySignIn(own, `person-${counter}@example.com`, "")).status).toBe(401);
  });
});
