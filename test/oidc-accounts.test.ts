import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { codeOf, PENDING, roleOf, SESSION, startOidc, whoIs } from "./oidc.fixture.ts";
import { type OidcVisitor, ORIGIN } from "./oidc-visitor.fixture.ts";
import { administrator } from "./session.ts";

const fixture = await startOidc();
const { provider, visitor, stranger, person, administratorsBrowser, connect, connecting } = fixture;
afterAll(fixture.discard);
beforeEach(() => provider.lie({}));

const activityShape = z.object({
  actor: z.object({ name: z.string() }),
  subject: z.object({ name: z.string() }),
  detail: z.record(z.string(), z.unknown()),
});

const codeIn = (path: string): string => new URL(path, ORIGIN).searchParams.get("code") ?? "";

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

  test("a role that changes with a group is in the activity", async () => {
    const lies = stranger({ groups: ["admins"] });
    for (const groups of [["admins"], ["admins"], ["staff"], ["admins"]]) {
      provider.lie({ ...lies, claims: { ...lies.claims, groups } });
      await visitor().signIn();
    }
    const browser = await administratorsBrowser();
    const changes = async () => {
      const answer = await browser.request("GET", "/api/activity?action=changeAccount");
      const entries: unknown[] = JSON.parse(answer.text).data.activity;
      return entries
        .map((entry) => activityShape.parse(entry))
        .filter(({ subject }) => subject.name === `${person()}@example.com`);
    };
    await eventually("both changes are written", async () => (await changes()).length === 2);
    const details = (await changes()).map(({ actor, detail }) => [actor.name, detail]);
    expect(details).toEqual(
      ["owner", "member"].map((role) => [`${person()}@example.com`, { role, provider: true }]),
    );
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
    expect(identities).toMatchObject([{ issuer: provider.issuer, subject: person() }]);
    const { issuer, subject } = identities[0];
    const removed = await browser.request("DELETE", "/auth/identities", { issuer, subject });
    expect(removed.status).toBe(200);
    const again = await browser.request("DELETE", "/auth/identities", { issuer, subject });
    expectFault(again, 404);
    expect(codeOf(await visitor().signIn())).toBe("not_admitted");
  });

  test("can be a member's, with one grant or several", async () => {
    const browser = await administratorsBrowser();
    for (const count of [1, 2]) {
      const grants = Array.from({ length: count }, (_, at) => ({
        folder: `of-${count}-${at}`,
        actions: ["list"],
      }));
      for (const { folder } of grants) await browser.request("POST", "/api/folders", { folder });
      const made = await browser.request("POST", "/api/accounts/invite", { grants });
      const token = JSON.parse(made.text).data.url.split("#")[1];
      const email = `member-${count}@example.com`;
      const theirs = visitor();
      const currentPassword = "a long enough password";
      await theirs.request("POST", "/auth/invite", { token, email, password: currentPassword });
      provider.lie(stranger({ groups: [] }));
      const begun = JSON.parse((await connect(theirs, currentPassword)).text).data;
      const callback = (await provider.signIn(begun.url)).slice(ORIGIN.length);
      expect((await theirs.request("GET", callback)).status).toBe(303);
      const other = visitor();
      await other.signIn();
      expect((await whoIs(other)).account.email).toBe(email);
    }
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
    expect((await whoIs(browser)).account.email).toBe(`${person()}@example.com`);

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

test("a disabled account does not sign in with the provider, and keeps its role", async () => {
  const lies = stranger();
  provider.lie(lies);
  const browser = visitor();
  await browser.signIn();
  const { id } = (await whoIs(browser)).account;
  const owner = await administratorsBrowser();
  const change = await owner.request("PUT", "/api/accounts", { id, disabled: true });
  expect(change.status).toBe(200);
  expectFault(await browser.request("GET", "/auth/session"), 401);
  provider.lie({ ...lies, claims: { ...lies.claims, groups: ["admins"] } });
  const answer = await browser.signIn();
  expectFault(answer, 403, /disabled/);
  expect(codeOf(answer)).toBe("account_disabled");
  const { accounts } = JSON.parse((await owner.request("GET", "/api/accounts")).text).data;
  expect(accounts).toContainEqual(expect.objectContaining({ id, role: "member" }));
});

test("an account without a password stays connected", async () => {
  provider.lie(stranger());
  const browser = visitor();
  await browser.signIn();
  const identity = { issuer: provider.issuer, subject: person() };
  const answer = await browser.request("DELETE", "/auth/identities", identity);
  expectFault(answer, 409, /Nothing else signs in/);
  expectFault(await connect(browser, ""), 401);
});
