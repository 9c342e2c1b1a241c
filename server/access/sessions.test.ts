import { afterEach, describe, expect, test } from "bun:test";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import {
  createClock,
  DAY,
  dropCredentials,
  emptyCredentials,
  OWNER,
} from "./credentials.fixture.ts";
import { hashSecret } from "./secrets.ts";
import { createSessions } from "./sessions.ts";

afterEach(dropCredentials);

const ACCOUNT = {
  id: "a1",
  email: "ada@example.com",
  passwordHash: "none",
  createdAt: 0,
  ...OWNER,
};
const visitor = { userAgent: "Mozilla/5.0", address: "203.0.113.9" };

async function open() {
  const credentials = await emptyCredentials(openSqliteCatalog);
  await credentials.addFirstAccount(ACCOUNT);
  const clock = createClock();
  return { credentials, clock, sessions: createSessions(credentials, clock.now) };
}

test("a member's session ends after 12 hours, also one from before it became a member", async () => {
  const { credentials, clock, sessions } = await open();
  const member = { ...ACCOUNT, id: "m", email: "m@example.com", role: "member" as const };
  await credentials.addAccount(member);
  const own = await sessions.start(member, visitor);
  const before = await sessions.start(ACCOUNT, visitor);
  clock.pass(DAY / 2 - 1);
  expect(await sessions.find(own.token)).toBeDefined();
  clock.pass(1);
  expect(await sessions.find(own.token)).toBeUndefined();
  expect(await sessions.find(before.token)).toBeDefined();
  await credentials.addAccount({ ...member, id: "o", email: "o@example.com", role: "owner" });
  await credentials.changeAccount({ id: ACCOUNT.id, role: "member" });
  expect(await sessions.find(before.token)).toBeUndefined();
});

test("an owner's session ends after 12 hours if it began with the provider", async () => {
  const { clock, sessions } = await open();
  const { token } = await sessions.start(ACCOUNT, {
    ...visitor,
    method: "oidc",
    groups: ["admins"],
  });
  clock.pass(DAY / 2 - 1);
  expect(await sessions.find(token)).toBeDefined();
  clock.pass(1);
  expect(await sessions.find(token)).toBeUndefined();
});

describe("a session", () => {
  test("is found by its token, of which only the hash is stored", async () => {
    const { credentials, sessions, clock } = await open();
    const { token, session } = await sessions.start(ACCOUNT, visitor);
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(session).toMatchObject({ ...visitor, accountId: ACCOUNT.id, createdAt: clock.now() });
    expect(await sessions.find(token)).toEqual({ account: ACCOUNT, session });
    expect(await credentials.sessionByHash(hashSecret(token))).toEqual(session);
    expect(JSON.stringify(await credentials.sessionsOf(ACCOUNT.id))).not.toContain(token);
    expect(await sessions.find(session.id)).toBeUndefined();
  });

  test("is new for every sign-in", async () => {
    const { sessions } = await open();
    const one = await sessions.start(ACCOUNT, visitor);
    const two = await sessions.start(ACCOUNT, visitor);
    expect(one.token).not.toBe(two.token);
    expect(one.session.id).not.toBe(two.session.id);
  });

  test("expires after a week without use", async () => {
    const { sessions, clock } = await open();
    const { token } = await sessions.start(ACCOUNT, visitor);
    clock.pass(7 * DAY - 1);
    expect(await sessions.find(token)).toBeDefined();
    clock.pass(1);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.list(ACCOUNT.id)).toEqual([]);
  });

  test("expires after 30 days even if it is used every day", async () => {
    const { credentials, sessions, clock } = await open();
    const { token, session } = await sessions.start(ACCOUNT, visitor);
    for (let day = 0; day < 30; day += 1) {
      expect(await sessions.find(token)).toBeDefined();
      clock.pass(DAY);
      await credentials.recordUse({ apiKeys: [], sessions: [{ id: session.id, at: clock.now() }] });
    }
    expect(await sessions.find(token)).toBeUndefined();
  });

  test("is removed at the next sign-in after it has expired", async () => {
    const { credentials, sessions, clock } = await open();
    await sessions.start(ACCOUNT, visitor);
    clock.pass(30 * DAY);
    const { session } = await sessions.start(ACCOUNT, visitor);
    expect(await credentials.sessionsOf(ACCOUNT.id)).toEqual([session]);
  });

  test("is ended by its id, for its own account only", async () => {
    const { sessions } = await open();
    const one = await sessions.start(ACCOUNT, visitor);
    const two = await sessions.start(ACCOUNT, visitor);
    expect(await sessions.end("another account", one.session.id)).toBe(false);
    expect(await sessions.end(ACCOUNT.id, one.session.id)).toBe(true);
    expect(await sessions.end(ACCOUNT.id, one.session.id)).toBe(false);
    expect(await sessions.find(one.token)).toBeUndefined();
    expect(await sessions.find(two.token)).toBeDefined();
  });

  test("can end all others of its account", async () => {
    const { sessions, clock } = await open();
    await sessions.start(ACCOUNT, visitor);
    await sessions.start(ACCOUNT, visitor);
    clock.pass(1);
    const kept = await sessions.start(ACCOUNT, visitor);
    expect(await sessions.endOthers(ACCOUNT.id, kept.session.id)).toBe(2);
    expect(await sessions.list(ACCOUNT.id)).toEqual([kept.session]);
    expect(await sessions.endOthers(ACCOUNT.id, kept.session.id)).toBe(0);
  });

  test("truncates a long User-Agent", async () => {
    const { sessions } = await open();
    const userAgent = "😀".repeat(5000);
    const { token, session } = await sessions.start(ACCOUNT, { ...visitor, userAgent });
    expect(session.userAgent.length).toBeLessThanOrEqual(500);
    expect((await sessions.find(token))?.session).toEqual(session);
  });
});
