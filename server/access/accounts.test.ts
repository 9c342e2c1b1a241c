import { afterEach, describe, expect, test } from "bun:test";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createAccounts } from "./accounts.ts";
import {
  createClock,
  DAY,
  dropCredentials,
  emptyCredentials,
  MINUTE,
  SECOND,
} from "./credentials.fixture.ts";
import { createPasswordThrottle } from "./password-throttle.ts";
import { createPasswords } from "./passwords.ts";
import { createMembers } from "./people/members.ts";
import { createSecondFactor } from "./second-factor.ts";
import { createSessions } from "./sessions.ts";

afterEach(dropCredentials);

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse";
const HOME = "203.0.113.9";

/** Groups addresses by their first three numbers. */
const clientKey = (address: string): string => address.split(".").slice(0, 3).join(".");

async function open() {
  const credentials = await emptyCredentials(openSqliteCatalog);
  const clock = createClock();
  const throttle = createPasswordThrottle({ now: clock.now });
  const secret = () => "a secret that is long enough for this";
  const secondFactor = createSecondFactor({ credentials, throttle, secret, now: clock.now });
  const accounts = createAccounts({
    credentials,
    passwords: createPasswords(),
    throttle,
    secondFactor,
    clientKey,
    now: clock.now,
  });
  const sessions = createSessions(credentials, clock.now);
  return { credentials, clock, accounts, sessions };
}

async function withAccount() {
  const fixture = await open();
  await fixture.accounts.ensureAccount(EMAIL, PASSWORD);
  const signIn = (password: string, client = HOME, email = EMAIL) =>
    fixture.accounts.signIn({ email, password, client });
  /** The outcome of an attempt: the account's address, or the fault's kind. */
  const outcome = (password: string, client = HOME, email = EMAIL): Promise<string> =>
    signIn(password, client, email).then(
      (account) => account.email,
      (fault) => fault.kind ?? fault,
    );
  return { ...fixture, signIn, outcome };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error) => error,
  );

describe("setup", () => {
  test("creates the account once, with the issued token", async () => {
    const { accounts, credentials } = await open();
    expect(await accounts.setupNeeded()).toBe(true);
    const token = (await accounts.issueSetupToken()) ?? "";
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    const request = { token, email: " Ada@Example.com ", password: PASSWORD, client: HOME };
    expect(await accounts.setup(request)).toMatchObject({ email: EMAIL });
    expect(await accounts.setupNeeded()).toBe(false);
    expect(await failure(accounts.setup(request))).toMatchObject({ kind: "conflict" });
    expect(await accounts.issueSetupToken()).toBeNull();
    const account = await credentials.accountByEmail(EMAIL);
    expect(account?.passwordHash).toStartWith("$argon2id$");
  });

  test("a new instance keeps versions, one with keys stays as it is", async () => {
    const { accounts, credentials } = await open();
    await accounts.ensureAccount(EMAIL, PASSWORD);
    expect(await credentials.setting("keepVersions")).toBe("true");

    const used = await open();
    await used.credentials.addApiKey({
      id: "k",
      hash: "hash",
      name: "in use",
      prefix: "hd_1",
      lastUsedAt: null,
      createdAt: 1,
      expiresAt: null,
      actions: ["admin"],
      folder: null,
      parentId: null,
    });
    await used.accounts.ensureAccount(EMAIL, PASSWORD);
    expect(await used.credentials.setting("keepVersions")).toBeUndefined();

    const chosen = await open();
    await chosen.credentials.putSetting("keepVersions", "false");
    await chosen.accounts.ensureAccount(EMAIL, PASSWORD);
    expect(await chosen.credentials.setting("keepVersions")).toBe("false");
  });

  test("refuses wrong, replaced and expired tokens", async () => {
    const { accounts, clock } = await open();
    const setup = (token: string) =>
      failure(accounts.setup({ token, email: EMAIL, password: PASSWORD, client: HOME }));
    expect(await setup("")).toMatchObject({ kind: "unauthorized" });
    const first = (await accounts.issueSetupToken()) ?? "";
    const second = (await accounts.issueSetupToken()) ?? "";
    expect(await setup(first)).toMatchObject({ kind: "unauthorized" });
    clock.pass(DAY);
    expect(await setup(second)).toMatchObject({ kind: "unauthorized" });
    const third = (await accounts.issueSetupToken()) ?? "";
    clock.pass(DAY - 1);
    expect(await setup(third)).toBe("no failure");
  });

  test("is not blocked by another client's wrong tokens", async () => {
    const { accounts } = await open();
    const token = (await accounts.issueSetupToken()) ?? "";
    const request = { email: EMAIL, password: PASSWORD };
    for (let guess = 0; guess < 20; guess += 1) {
      await failure(accounts.setup({ ...request, token: "guess", client: "198.51.100.1" }));
    }
    expect(await accounts.setup({ ...request, token, client: HOME })).toMatchObject({
      email: EMAIL,
    });
  });

  test("creates one account from two concurrent requests", async () => {
    const { accounts } = await open();
    const token = (await accounts.issueSetupToken()) ?? "";
    const outcomes = await Promise.allSettled(
      ["a@example.com", "b@example.com"].map((email) =>
        accounts.setup({ token, email, password: PASSWORD, client: HOME }),
      ),
    );
    expect(outcomes.map((end) => end.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find((end) => end.status === "rejected")?.reason).toMatchObject({
      kind: "conflict",
    });
  });

  test("ensureAccount keeps an existing account, also when called concurrently", async () => {
    const { accounts, outcome } = await withAccount();
    await accounts.ensureAccount("eve@example.com", "another password");
    expect(await outcome("another password", HOME, "eve@example.com")).toBe("unauthorized");
    expect(await outcome(PASSWORD)).toBe(EMAIL);
    const fresh = await open();
    const both = [fresh.accounts, fresh.accounts].map((a) => a.ensureAccount(EMAIL, PASSWORD));
    expect(await Promise.all(both)).toHaveLength(2);
  });
});

describe("sign-in", () => {
  test("ignores the case of the address, not of the password", async () => {
    const { outcome } = await withAccount();
    expect(await outcome(PASSWORD, HOME, " ADA@example.COM ")).toBe(EMAIL);
    expect(await outcome(PASSWORD.toUpperCase())).toBe("unauthorized");
  });

  test("reports a wrong address and a wrong password alike", async () => {
    const { signIn } = await withAccount();
    const [one, two] = await Promise.all([
      failure(signIn("a guess")),
      failure(signIn(PASSWORD, HOME, "eve@example.com")),
    ]);
    expect(one).toMatchObject({ kind: "unauthorized" });
    expect(String(one)).toBe(String(two));
  });

  test("throttles one client without affecting others", async () => {
    const { clock, signIn, outcome } = await withAccount();
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await outcome("a guess", "198.51.100.1")).toBe("unauthorized");
    }
    expect(await failure(signIn(PASSWORD, "198.51.100.2"))).toMatchObject({
      kind: "rate_limited",
      retryAfter: 1,
    });
    expect(await outcome(PASSWORD)).toBe(EMAIL);
    clock.pass(SECOND);
    expect(await outcome("a guess", "198.51.100.3")).toBe("unauthorized");
    expect(await failure(signIn(PASSWORD, "198.51.100.1"))).toMatchObject({ retryAfter: 2 });
  });

  test("resets the count after a success", async () => {
    const { outcome } = await withAccount();
    for (let round = 0; round < 4; round += 1) {
      for (let typo = 0; typo < 4; typo += 1) expect(await outcome("typo")).toBe("unauthorized");
      expect(await outcome(PASSWORD)).toBe(EMAIL);
    }
  });

  test("counts concurrent attempts like sequential ones", async () => {
    const { outcome } = await withAccount();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome("a guess")));
    expect(outcomes.filter((end) => end === "unauthorized")).toHaveLength(5);
  });

  test("clients that have failed on an address under attack wait, with or without an account", async () => {
    for (const email of [EMAIL, "nobody@example.com", "x".repeat(1 << 20)]) {
      const { outcome } = await withAccount();
      const outcomes: string[] = [];
      for (let n = 0; n < 18; n += 1)
        outcomes.push(await outcome("a guess", `198.51.${n % 6}.1`, email));
      expect(outcomes).toEqual([
        ...new Array<string>(13).fill("unauthorized"),
        ...new Array<string>(5).fill("rate_limited"),
      ]);
    }
  });

  test("lets the owner in while attackers guess without a pause, from everywhere", async () => {
    const { clock, sessions, signIn, outcome } = await withAccount();
    await sessions.start(await signIn(PASSWORD), { userAgent: "", address: "203.0.113.77" });
    let refused: unknown;
    for (let n = 0; n < 60; n += 1) {
      if (n % 20 === 0) clock.pass(MINUTE);
      refused = await failure(signIn("a guess", `198.51.${n % 15}.1`));
    }
    expect(refused).toMatchObject({ kind: "rate_limited" });
    expect(await outcome(PASSWORD)).toBe(EMAIL);
    for (let n = 0; n < 40; n += 1) await outcome("a guess", `198.52.${n % 15}.1`);
    expect(await outcome(PASSWORD, "192.0.2.1")).toBe(EMAIL);
  });

  test("a browser with a session is known by it, also behind the address of an attacker", async () => {
    const { accounts, sessions, signIn, outcome } = await withAccount();
    const { session } = await sessions.start(await signIn(PASSWORD), {
      userAgent: "",
      address: HOME,
    });
    for (let n = 0; n < 6; n += 1) await outcome("a guess", "198.51.100.1");
    const attempt = { email: EMAIL, password: PASSWORD, client: "198.51.100.1" };
    expect(await failure(accounts.signIn(attempt))).toMatchObject({ kind: "rate_limited" });
    expect(await accounts.signIn({ ...attempt, session })).toMatchObject({ email: EMAIL });
    for (let n = 0; n < 5; n += 1) {
      await failure(accounts.signIn({ ...attempt, password: "a guess", session }));
    }
    expect(await failure(accounts.signIn({ ...attempt, session }))).toMatchObject({
      kind: "rate_limited",
    });
  });

  test("throttles a client with a session, too", async () => {
    const { sessions, signIn, outcome } = await withAccount();
    await sessions.start(await signIn(PASSWORD), { userAgent: "", address: HOME });
    for (let guess = 0; guess < 5; guess += 1) await outcome("a guess");
    expect(await outcome(PASSWORD)).toBe("rate_limited");
  });
});

describe("a password change", () => {
  test("needs the current password and ends every session", async () => {
    const { accounts, sessions, signIn, outcome } = await withAccount();
    const account = await signIn(PASSWORD);
    const { token } = await sessions.start(account, { userAgent: "", address: HOME });
    const change = { account, newPassword: "battery staple" };
    expect(
      await failure(accounts.changePassword({ ...change, currentPassword: "wrong" })),
    ).toMatchObject({ kind: "unauthorized" });
    expect(await sessions.find(token)).toBeDefined();
    await accounts.changePassword({ ...change, currentPassword: PASSWORD });
    expect(await sessions.find(token)).toBeUndefined();
    expect(await outcome(PASSWORD)).toBe("unauthorized");
    expect(await outcome("battery staple")).toBe(EMAIL);
  });

  test("is refused after a concurrent reset, and so is a new address", async () => {
    const { accounts, signIn, outcome } = await withAccount();
    // The account as a pending request has read it.
    const account = await signIn(PASSWORD);
    await accounts.resetPassword({ email: undefined, newPassword: "battery staple" });
    const late = { account, currentPassword: PASSWORD, client: HOME };
    expect(
      await failure(accounts.changePassword({ ...late, newPassword: "mine for ever" })),
    ).toMatchObject({ kind: "unauthorized" });
    expect(
      await failure(accounts.changeEmail({ ...late, email: "eve@example.com" })),
    ).toMatchObject({ kind: "unauthorized" });
    expect(await outcome("battery staple")).toBe(EMAIL);
    expect(await outcome("mine for ever")).toBe("unauthorized");
  });

  test("throttles wrong passwords of all clients together", async () => {
    const { accounts, signIn } = await withAccount();
    const account = await signIn(PASSWORD);
    const outcomes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      const guess = { account, currentPassword: "a guess", newPassword: "x".repeat(8) };
      outcomes.push(await failure(accounts.changePassword(guess)));
    }
    expect(outcomes[4]).toMatchObject({ kind: "unauthorized" });
    expect(outcomes[5]).toMatchObject({ kind: "rate_limited" });
  });
});

describe("a new email address", () => {
  test("needs the password, replaces the old one and keeps all sessions", async () => {
    const { accounts, sessions, signIn, outcome } = await withAccount();
    const account = await signIn(PASSWORD);
    const { token } = await sessions.start(account, { userAgent: "", address: HOME });
    const change = { account, email: " Eve@Example.com " };
    const refused = accounts.changeEmail({ ...change, currentPassword: "wrong" });
    expect(await failure(refused)).toMatchObject({ kind: "unauthorized" });
    const changed = await accounts.changeEmail({ ...change, currentPassword: PASSWORD });
    expect(changed).toEqual({ ...account, email: "eve@example.com" });
    expect(await sessions.find(token)).toBeDefined();
    expect(await outcome(PASSWORD)).toBe("unauthorized");
    const signedIn = await accounts.signIn({ ...change, password: PASSWORD, client: HOME });
    expect(signedIn.id).toBe(account.id);
  });
});

describe("resetting the password", () => {
  test("finds the account, generates a password and ends every session", async () => {
    const { accounts, sessions, signIn, outcome } = await withAccount();
    const account = await signIn(PASSWORD);
    const { token } = await sessions.start(account, { userAgent: "", address: HOME });
    const made = await accounts.resetPassword({ email: undefined, newPassword: undefined });
    expect(made.email).toBe(EMAIL);
    expect(made.password).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await outcome(PASSWORD)).toBe("unauthorized");
    expect(await outcome(made.password)).toBe(EMAIL);
  });

  test("accepts a given password, and the address in any case", async () => {
    const { accounts, outcome } = await withAccount();
    const request = { email: "ADA@example.com", newPassword: "battery staple" };
    expect(await accounts.resetPassword(request)).toEqual({
      email: EMAIL,
      password: "battery staple",
      hasSecondFactor: false,
      passkeys: 0,
    });
    expect(await outcome("battery staple")).toBe(EMAIL);
  });

  test("by an owner is for the account with the id, also if its address changes hands", async () => {
    const { accounts, credentials, outcome } = await withAccount();
    const byOwner = (await credentials.accountByEmail(EMAIL))?.id ?? "";
    const passwords = createPasswords();
    const open = (people: typeof credentials) =>
      createMembers({ people, accounts, passwords, now: credentials.now });
    const create = async (email: string) =>
      open(credentials).create({ email, role: "member", password: PASSWORD });
    const { account: bob } = await create("bob@example.com");
    const { account: eve } = await create("eve@example.com");
    const { password } = await open({
      ...credentials,
      async accountById(id) {
        const found = await credentials.accountById(id);
        await credentials.setEmail({ accountId: bob.id, email: "robert@example.com" });
        await credentials.setEmail({ accountId: eve.id, email: bob.email });
        return found;
      },
    }).reset({ id: bob.id, password: true, secondFactor: false, byOwner });
    expect(await outcome(PASSWORD, HOME, bob.email)).toBe(bob.email);
    expect(await outcome(password ?? "", HOME, "robert@example.com")).toBe("robert@example.com");
  });

  test("reports a missing account", async () => {
    const none = { email: undefined, newPassword: undefined };
    expect(await failure((await open()).accounts.resetPassword(none))).toMatchObject({
      message: "The administrator's account does not exist yet.",
    });
    const { accounts } = await withAccount();
    const wrong = accounts.resetPassword({ ...none, email: "eve@example.com" });
    expect(String(await failure(wrong))).toContain("eve@example.com");
  });
});
