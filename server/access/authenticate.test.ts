import { afterEach, describe, expect, test } from "bun:test";
import { untilAfter } from "../../test/expectations.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createAccess } from "./access.ts";
import type { RequestCredentials } from "./authenticate.ts";
import { dropCredentials, emptyCredentials } from "./credentials.fixture.ts";
import { sessionCookie } from "./session-cookie.ts";

afterEach(dropCredentials);

const anonymous: RequestCredentials = {
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
    secret: () => "a secret that is long enough for this",
    onError: (_message, cause) => void errors.push(cause),
  });
  await access.accounts.ensureAccount("ada@example.com", "correct horse");
  const { secret, record } = await access.keys.create({ name: "backup", expiresIn: null });
  const visitor = { userAgent: "", address: "203.0.113.9" };
  const account = await credentials.accountByEmail("ada@example.com");
  if (account === undefined) throw new Error("The account was not created");
  const { token, session } = await access.sessions.start(account, visitor);
  const cookie = sessionCookie(token, session, { secure: false }).split(";")[0] ?? "";
  const kindOf = async (request: Partial<RequestCredentials>) =>
    (await access.authenticate({ ...anonymous, ...request }))?.kind;
  return { access, errors, secret, record, session, cookie, kindOf };
}

describe("the caller", () => {
  test("is undefined without credentials, or with wrong ones", async () => {
    const { kindOf } = await open();
    expect(await kindOf({})).toBeUndefined();
    expect(await kindOf({ apiKey: "hd_wrong" })).toBeUndefined();
    expect(await kindOf({ cookie: `holdall_session=${"x".repeat(43)}` })).toBeUndefined();
  });

  test("is the API key, with any method and from any origin", async () => {
    const { kindOf, secret, access, record } = await open();
    const { folderKeys: _, ...key } = record;
    const request = { method: "DELETE", origin: "https://elsewhere.example" };
    expect(await kindOf({ ...request, apiKey: secret })).toBe("key");
    expect(await access.authenticate({ ...anonymous, apiKey: secret })).toEqual({
      kind: "key",
      key,
    });
  });

  test("is the session; for unsafe methods only from our own origin", async () => {
    const { kindOf, cookie, access, session } = await open();
    expect(await access.authenticate({ ...anonymous, cookie })).toMatchObject({
      kind: "session",
      account: { email: "ada@example.com" },
      session,
    });
    const ours = { cookie, method: "POST", origin: "https://files.example.com" };
    expect(await kindOf(ours)).toBe("session");
    expect(await kindOf({ ...ours, origin: "https://evil.example" })).toBeUndefined();
    expect(await kindOf({ ...ours, origin: "https://evil.example", method: "GET" })).toBe(
      "session",
    );
  });

  test("is decided by the API key alone when there is one", async () => {
    const { kindOf, cookie, secret } = await open();
    expect(await kindOf({ apiKey: secret, cookie })).toBe("key");
    expect(await kindOf({ apiKey: "hd_wrong", cookie })).toBeUndefined();
    expect(await kindOf({ apiKey: "", cookie })).toBeUndefined();
  });

  test("ignores a session cookie of the other scheme", async () => {
    const { kindOf, cookie } = await open();
    expect(await kindOf({ cookie, secure: true })).toBeUndefined();
    expect(await kindOf({ cookie: `__Host-${cookie}`, secure: true })).toBe("session");
  });

  test("records the last use of accepted keys and sessions only", async () => {
    const { access, errors, kindOf, secret, cookie, session } = await open();
    const idle = await access.keys.create({ name: "idle", expiresIn: null });
    await untilAfter(session.lastSeenAt);
    await kindOf({ apiKey: secret });
    await kindOf({ apiKey: `${idle.secret}x` });
    await kindOf({ cookie });
    await access.close();
    const used = new Map((await access.keys.list()).map((key) => [key.name, key.lastUsedAt]));
    expect(used.get("backup")).toBeGreaterThan(0);
    expect(used.get("idle")).toBeNull();
    const [seen] = await access.sessions.list("administrator");
    expect(seen?.lastSeenAt).toBeGreaterThan(session.lastSeenAt);
    expect(errors).toEqual([]);
  });
});
