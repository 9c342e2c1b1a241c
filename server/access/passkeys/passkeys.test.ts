import { afterEach, describe, expect, test } from "bun:test";
import { openSqliteCatalog } from "../../catalog/sqlite/sqlite-catalog.ts";
import {
  createClock,
  dropCredentials,
  emptyCredentials,
  MINUTE,
  OWNER,
} from "../credentials.fixture.ts";
import { createPasswordThrottle } from "../password-throttle.ts";
import { createPasskeys } from "./passkeys.ts";
import { createSoftwareAuthenticator, type Deviation } from "./software-authenticator.fixture.ts";

afterEach(dropCredentials);

const ORIGIN = "https://files.example.com";
const site = { host: "files.example.com", origin: ORIGIN };
const account = {
  id: "administrator",
  email: "ada@example.com",
  passwordHash: "hash",
  ...OWNER,
  createdAt: 1,
};
const by = { account, sessionId: "session" };
const client = "192.0.2.1";

async function withAccount(secret = "a secret that is long enough") {
  const credentials = await emptyCredentials(openSqliteCatalog);
  await credentials.addFirstAccount(account);
  const clock = createClock();
  const { now } = clock;
  const open = (key = secret) =>
    createPasskeys({
      credentials,
      clientKey: (address: string) => address,
      secret: () => key,
      now,
      throttle: createPasswordThrottle({ now }),
    });
  return { credentials, clock, open, passkeys: open() };
}

/** With a passkey that was added. */
async function withPasskey(how: Deviation = {}) {
  const all = await withAccount();
  const { passkeys } = all;
  const device = createSoftwareAuthenticator(ORIGIN);
  const response = device.create(await passkeys.prepare(by, site), how);
  const added = await passkeys.add({ ...by, response, name: "Device", site });
  /** A challenge to sign in with. */
  const options = async () => {
    const made = await passkeys.signInOptions(site);
    if (made === undefined) throw new Error("No passkey works");
    return made;
  };
  const signIn = async (deviation: Deviation = {}) =>
    passkeys.signIn({ response: device.get(await options(), deviation), site, client });
  return { ...all, device, added, options, signIn };
}

describe("adding a passkey", () => {
  test("stores what the authenticator says, and nothing it does not know", async () => {
    const { passkeys, added, device } = await withPasskey({ canSync: true, counter: 3 });
    expect(added).toMatchObject({ name: "Device", host: site.host, lastUsedAt: null, counter: 3 });
    expect(added).toMatchObject({ canSync: true, isSynced: false, transports: ["internal"] });
    expect(added.credentialId).toBe(device.id);
    expect(await passkeys.list(account.id)).toEqual([added]);
  });

  test("offers the same random user handle each time, and no known passkeys", async () => {
    const { passkeys, device } = await withPasskey();
    const one = await passkeys.prepare(by, site);
    const two = await passkeys.prepare(by, { ...site, host: "other.example.com" });
    expect(one.user.id).toBe(two.user.id);
    expect(Buffer.from(one.user.id, "base64url")).toHaveLength(32);
    expect(one.excludeCredentials.map(({ id }) => id)).toEqual([device.id]);
    expect(two.excludeCredentials).toEqual([]);
    expect(one.challenge).not.toBe(two.challenge);
  });

  const refused: [string, Deviation][] = [
    ["of another origin", { origin: "https://evil.example.com" }],
    ["of the same host with another port", { origin: `${ORIGIN}:8443` }],
    ["for another relying party", { host: "example.com" }],
    ["of a sign-in", { type: "webauthn.get" }],
    ["without a verified user", { isVerified: false }],
    ["with an attestation that names servers", { attestationFormat: "android-key" }],
    ["with a challenge that no server made", { challenge: "bW9vbmxpZ2h0IG9uIHRoZSBoYXJib3Vy" }],
  ];
  test.each(refused)("refuses a response %s", async (_, how) => {
    const { passkeys } = await withAccount();
    const device = createSoftwareAuthenticator(ORIGIN);
    const response = device.create(await passkeys.prepare(by, site), how);
    const late = passkeys.add({ ...by, response, name: "x", site });
    await expect(late).rejects.toMatchObject({ kind: "invalid" });
    expect(await passkeys.list(account.id)).toEqual([]);
  });

  test("accepts a challenge once, for five minutes, for the session that asked for it", async () => {
    const { passkeys, clock } = await withAccount();
    const device = createSoftwareAuthenticator(ORIGIN);
    const add = (response: ReturnType<typeof device.create>, sessionId = "session") =>
      passkeys.add({ account, sessionId, response, name: "x", site });
    const response = device.create(await passkeys.prepare(by, site));
    await expect(add(response, "stolen")).rejects.toMatchObject({ kind: "invalid" });
    clock.pass(5 * MINUTE);
    await expect(add(response)).rejects.toMatchObject({ kind: "invalid" });
    const next = device.create(await passkeys.prepare(by, site));
    clock.pass(5 * MINUTE - 1);
    const added = await add(next);
    await passkeys.remove(account.id, added.id);
    await expect(add(next)).rejects.toMatchObject({ kind: "invalid" });
  });

  test("refuses a challenge for a sign-in", async () => {
    const { passkeys, options } = await withPasskey();
    const device = createSoftwareAuthenticator(ORIGIN);
    const { challenge } = await options();
    const response = device.create({ challenge, rp: { id: site.host }, user: { id: "" } });
    const late = passkeys.add({ ...by, response, name: "x", site });
    await expect(late).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("signing in with a passkey", () => {
  test("returns the account, and notes the use", async () => {
    const { passkeys, signIn, clock } = await withPasskey();
    clock.pass(MINUTE);
    expect(await signIn()).toEqual(account);
    const [used] = await passkeys.list(account.id);
    expect(used?.lastUsedAt).toBe(clock.now());
  });

  test("is offered only where a passkey works", async () => {
    const { passkeys, added } = await withPasskey();
    const other = { host: "other.example.com", origin: "https://other.example.com" };
    expect(await passkeys.signInOptions(other)).toBeUndefined();
    await passkeys.remove(account.id, added.id);
    expect(await passkeys.signInOptions(site)).toBeUndefined();
  });

  const refused: [string, Deviation][] = [
    ["of another origin", { origin: "https://evil.example.com" }],
    ["of a page without HTTPS", { origin: "http://files.example.com" }],
    ["for another relying party", { host: "example.com" }],
    ["of adding a passkey", { type: "webauthn.create" }],
    ["without a verified user", { isVerified: false }],
    ["that was changed after it was signed", { isTampered: true }],
    ["of another user", { userHandle: "YWRh" }],
    ["without a user", { userHandle: "" }],
    ["of a passkey that says something else about itself", { canSync: true }],
  ];
  test.each(refused)("refuses a response %s", async (_, how) => {
    const { passkeys, signIn } = await withPasskey();
    await expect(signIn(how)).rejects.toMatchObject({ kind: "unauthorized" });
    expect((await passkeys.list(account.id))[0]?.lastUsedAt).toBeNull();
    expect(await signIn()).toEqual(account);
  });

  test("refuses a page of a sibling host that says so itself", async () => {
    const { passkeys, device, options } = await withPasskey();
    const evil = { host: "evil.files.example.com", origin: "https://evil.files.example.com" };
    const response = device.get(await options(), { origin: evil.origin });
    const late = passkeys.signIn({ response, site: evil, client });
    await expect(late).rejects.toMatchObject({ kind: "unauthorized" });
  });

  test("refuses the key of another authenticator under a known id", async () => {
    const { passkeys, device, options } = await withPasskey();
    const request = await options();
    const own = device.get(request);
    const other = createSoftwareAuthenticator(ORIGIN).get(request);
    const stolen = { ...other, id: own.id, rawId: own.rawId };
    stolen.response.userHandle = own.response.userHandle;
    const late = passkeys.signIn({ response: stolen, site, client });
    await expect(late).rejects.toMatchObject({ kind: "unauthorized" });
  });

  test("accepts each response once, on all servers, also at the same time", async () => {
    const { device, options, open } = await withPasskey();
    const servers = [open(), open(), open()];
    const response = device.get(await options());
    const ends = await Promise.allSettled(
      servers.map((server, at) => server.signIn({ response, site, client: `192.0.2.${at}` })),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const late = open().signIn({ response, site, client });
    await expect(late).rejects.toMatchObject({ kind: "unauthorized" });
  });

  test("accepts challenges for five minutes, and only of this instance", async () => {
    const { passkeys, device, options, open, clock } = await withPasskey();
    const response = device.get(await options());
    const elsewhere = open("the secret of another instance").signIn({ response, site, client });
    await expect(elsewhere).rejects.toMatchObject({ kind: "invalid" });
    clock.pass(5 * MINUTE);
    const late = passkeys.signIn({ response, site, client });
    await expect(late).rejects.toThrow("too long");
    for (const challenge of ["", "x", "A".repeat(100), "é"]) {
      const made = device.get(await options(), { challenge });
      const none = passkeys.signIn({ response: made, site, client });
      await expect(none).rejects.toMatchObject({ kind: "invalid" });
    }
  });

  test("refuses client data that is not an object with a challenge", async () => {
    const { passkeys, device, options } = await withPasskey();
    const { response, ...rest } = device.get(await options());
    for (const data of ["", "null", "[]", "{", '{"challenge":5}', "\u0000"]) {
      const clientDataJSON = Buffer.from(data).toString("base64url");
      const made = { ...rest, response: { ...response, clientDataJSON } };
      const none = passkeys.signIn({ response: made, site, client });
      await expect(none).rejects.toMatchObject({ kind: "invalid" });
    }
  });

  test("refuses counters that do not grow, once the authenticator counts", async () => {
    const { signIn } = await withPasskey({ counter: 5 });
    await signIn({ counter: 7 });
    for (const counter of [7, 6, 1, 0]) {
      const copied = signIn({ counter });
      await expect(copied).rejects.toThrow("may have been copied");
    }
    expect(await signIn({ counter: 8 })).toEqual(account);
  });

  test("refuses a passkey that was removed", async () => {
    const { passkeys, device, options, added } = await withPasskey();
    const response = device.get(await options());
    await passkeys.remove(account.id, added.id);
    const late = passkeys.signIn({ response, site, client });
    await expect(late).rejects.toThrow("may have been removed");
  });

  test("makes a client wait after five failures, and counts no expired challenges", async () => {
    const { passkeys, device, options, signIn, clock } = await withPasskey();
    const expired = device.get(await options());
    clock.pass(5 * MINUTE);
    for (let tries = 0; tries < 20; tries += 1) {
      const late = passkeys.signIn({ response: expired, site, client });
      await expect(late).rejects.toMatchObject({ kind: "invalid" });
    }
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(signIn({ isTampered: true })).rejects.toMatchObject({ kind: "unauthorized" });
    }
    await expect(signIn()).rejects.toMatchObject({ kind: "rate_limited" });
    clock.pass(MINUTE);
    expect(await signIn()).toEqual(account);
    await expect(signIn({ isTampered: true })).rejects.toMatchObject({ kind: "unauthorized" });
    expect(await signIn()).toEqual(account);
  });
});
