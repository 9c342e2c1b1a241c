import { afterEach, describe, expect, test } from "bun:test";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createAccess } from "./access.ts";
import type { RequestCredentials } from "./authenticate.ts";
import { dropCredentials, emptyCredentials } from "./credentials.fixture.ts";
import { sessionCookie } from "./session-cookie.ts";

afterEach(dropCredentials);

const nothing: RequestCredentials = {
  apiKey: null,
  cookie: null,
  secure: false,
  method: "GET",
  host: "files.example.com",
  origin: null,
  secFetchSite: null,
  secFetchDest: null,
  publicOrigin: null,
};

async function open() {
  const errors: unknown[] = [];
  const credentials = await emptyCredentials(openSqliteCatalog);
  const access = createAccess({
    credentials,
    onError: (_message, cause) => void errors.push(cause),
  });
  await access.accounts.ensureAccount("ada@example.com", "correct horse");
  const { secret, record } = await access.keys.create({ name: "backup", expiresIn: null });
  const visitor = { userAgent: "", address: "203.0.113.9" };
  const account = await credentials.accountByEmail("ada@example.com");
  if (account === undefined) throw new Error("The account was not made");
  const { token, session } = await access.sessions.start(account, visitor);
  const cookie = sessionCookie(token, { secure: false }).split(";")[0] ?? "";
  const who = async (evidence: Partial<RequestCredentials>) =>
    (await access.authenticate({ ...nothing, ...evidence }))?.kind;
  return { access, errors, secret, record, session, cookie, who };
}

describe("the caller", () => {
  test("is nobody without evidence, or with wrong evidence", async () => {
    const { who } = await open();
    expect(await who({})).toBeUndefined();
    expect(await who({ apiKey: "hd_wrong" })).toBeUndefined();
    expect(await who({ cookie: `holdall_session=${"x".repeat(43)}` })).toBeUndefined();
  });

  test("is the key's, with any method and from any page", async () => {
    const { who, secret, access, record } = await open();
    const evidence = { method: "DELETE", origin: "https://elsewhere.example" };
    expect(await who({ ...evidence, apiKey: secret })).toBe("key");
    expect(await access.authenticate({ ...nothing, apiKey: secret })).toEqual({
      kind: "key",
      key: record,
    });
  });

  test("is the session's, for unsafe methods only from our own pages", async () => {
    const { who, cookie, access, session } = await open();
    expect(await access.authenticate({ ...nothing, cookie })).toMatchObject({
      kind: "session",
      account: { email: "ada@example.com" },
      session,
    });
    const ours = { cookie, method: "POST", origin: "https://files.example.com" };
    expect(await who(ours)).toBe("session");
    expect(await who({ ...ours, origin: "https://evil.example" })).toBeUndefined();
    expect(await who({ ...ours, origin: "https://evil.example", method: "GET" })).toBe("session");
  });

  test("is decided by a key that is given, good or wrong", async () => {
    const { who, cookie, secret } = await open();
    expect(await who({ apiKey: secret, cookie })).toBe("key");
    expect(await who({ apiKey: "hd_wrong", cookie })).toBeUndefined();
    expect(await who({ apiKey: "", cookie })).toBeUndefined();
  });

  test("is nobody with a session of the other scheme", async () => {
    const { who, cookie } = await open();
    expect(await who({ cookie, secure: true })).toBeUndefined();
    expect(await who({ cookie: `__Host-${cookie}`, secure: true })).toBe("session");
  });

  test("is noted with when it came, and only when it was let in", async () => {
    const { access, errors, who, secret, cookie, session } = await open();
    const idle = await access.keys.create({ name: "idle", expiresIn: null });
    await Bun.sleep(5);
    await who({ apiKey: secret });
    await who({ apiKey: `${idle.secret}x` });
    await who({ cookie });
    await access.close();
    const used = new Map((await access.keys.list()).map((key) => [key.name, key.lastUsedAt]));
    expect(used.get("backup")).toBeGreaterThan(0);
    expect(used.get("idle")).toBeNull();
    const [seen] = await access.sessions.list("administrator");
    expect(seen?.lastSeenAt).toBeGreaterThan(session.lastSeenAt);
    expect(errors).toEqual([]);
  });
});
