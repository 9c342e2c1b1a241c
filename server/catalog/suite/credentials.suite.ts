import { describe, expect, test } from "bun:test";
import { BY_PASSWORD, OWNER } from "../../access/credentials.fixture.ts";
import type { AccountRecord, SessionRecord } from "../../domain/records.ts";
import type { NewApiKeyRecord } from "../port/credentials.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { expectFault } from "./catalog.fixture.ts";

const apiKey = (id: string, createdAt = 1): NewApiKeyRecord => ({
  id,
  hash: `hash ${id}`,
  name: `key ${id}`,
  prefix: "hd_abcd",
  createdAt,
  lastUsedAt: null,
  expiresAt: id === "a" ? null : 5000,
  actions: id === "a" ? ["admin"] : ["list", "read"],
  folder: null,
  parentId: null,
});

/** The key as it is found, and as it is listed. */
function stored({ hash: _, folder: __, ...key }: NewApiKeyRecord) {
  const record = { ...key, folderIds: [], secretVersion: 0, oldSecretEndsAt: null };
  return { found: { ...record, secretEndsAt: null }, listed: { ...record, folderKeys: [] } };
}

const account: AccountRecord = {
  id: "admin",
  email: "admin@example.org",
  passwordHash: "$argon2id$1",
  ...OWNER,
  createdAt: 1,
};

const session = (id: string, createdAt: number): SessionRecord => ({
  id,
  accountId: account.id,
  userAgent: "Browser/1.0",
  address: "192.0.2.1",
  createdAt,
  lastSeenAt: createdAt,
  ...BY_PASSWORD,
  expiresAt: createdAt + 1000,
});

export function credentialsSuite(fixture: () => CatalogFixture): void {
  describe("API keys", () => {
    test("are found by hash, even if expired, and listed newest first", async () => {
      const { catalog } = fixture();
      const [a, b, c] = [apiKey("a", 1), apiKey("b", 3), apiKey("c", 2)];
      for (const key of [a, b, c]) {
        expect(await catalog.addApiKey(key)).toEqual(stored(key).listed);
      }
      expect(await catalog.apiKeyByHash("hash b")).toEqual(stored(b).found);
      expect(await catalog.apiKeyByHash("hash")).toBeUndefined();
      expect(await catalog.apiKeys()).toEqual([b, c, a].map((key) => stored(key).listed));
      await expectFault(catalog.addApiKey({ ...apiKey("d"), hash: "hash a" }), "conflict");
      expect((await catalog.apiKeys()).length).toBe(3);
    });

    test("are renamed and removed at once", async () => {
      const { catalog } = fixture();
      await catalog.addApiKey({ ...apiKey("a"), hash: "hash" });
      const renamed = stored({ ...apiKey("a"), name: "new" }).listed;
      expect(await catalog.renameApiKey({ id: "a", name: "new" })).toEqual(renamed);
      expect((await catalog.apiKeyByHash("hash"))?.name).toBe("new");
      await expectFault(catalog.renameApiKey({ id: "b", name: "new" }), "not_found");
      expect(await catalog.removeApiKey({ id: "a" })).toEqual(["a"]);
      expect(await catalog.apiKeyByHash("hash")).toBeUndefined();
      expect(await catalog.removeApiKey({ id: "a" })).toEqual([]);
    });

    test.each([apiKey("a"), apiKey("b")])("are rotated: $id", async (key) => {
      const { catalog } = fixture();
      await catalog.addApiKey(key);
      const rotate = (hash: string, oldSecretEndsAt: number) =>
        catalog.rotateApiKey({ id: key.id, hash, prefix: `hd_${hash}`, oldSecretEndsAt });
      const once = await rotate("new", 70);
      const changed = { prefix: "hd_new", secretVersion: 1, oldSecretEndsAt: 70 };
      expect(once).toEqual({ ...stored(key).listed, ...changed });
      expect(await catalog.apiKeys()).toEqual([once]);
      const { found } = stored(key);
      expect(await catalog.apiKeyByHash("new")).toEqual({ ...found, ...changed });
      expect(await catalog.apiKeyByHash(key.hash)).toEqual({
        ...found,
        ...changed,
        secretEndsAt: 70,
      });
      for (const hash of ["new", key.hash]) {
        await expectFault(rotate(hash, 80), "conflict");
        await expectFault(catalog.addApiKey({ ...apiKey("c"), hash }), "conflict");
      }
      await rotate("newer", 80);
      expect(await catalog.apiKeyByHash(key.hash)).toBeUndefined();
      expect((await catalog.apiKeyByHash("new"))?.secretEndsAt).toBe(80);
      const unknown = { id: "x", hash: "h", prefix: "", oldSecretEndsAt: 0 };
      await expectFault(catalog.rotateApiKey(unknown), "not_found");
      const again = (await (await fixture().reopen()).apiKeyByHash("newer"))?.secretVersion;
      expect(again).toBe(2);
    });

    test("rotated at the same time have one current secret, and keep no other but the last", async () => {
      const { catalog } = fixture();
      await catalog.addApiKey(apiKey("a"));
      const hashes = Array.from({ length: 8 }, (_, at) => `new ${at}`);
      await Promise.all(
        hashes.map((hash) =>
          catalog.rotateApiKey({ id: "a", hash, prefix: hash, oldSecretEndsAt: 90 }),
        ),
      );
      const found = await Promise.all(hashes.map((hash) => catalog.apiKeyByHash(hash)));
      const ends = found.flatMap((key) => (key === undefined ? [] : [key.secretEndsAt]));
      expect(ends.toSorted()).toEqual([90, null]);
      expect((await catalog.apiKeyById("a"))?.secretVersion).toBe(8);
      expect(await catalog.apiKeyByHash("hash a")).toBeUndefined();
    });
  });

  describe("accounts", () => {
    test("there is at most one", async () => {
      const { catalog } = fixture();
      expect(await catalog.accountCount()).toBe(0);
      expect(await catalog.accountByEmail(account.email)).toBeUndefined();
      const candidates = ["admin", "other"].map((id) => {
        return { ...account, id, email: `${id}@example.org` };
      });
      const attempts = await Promise.allSettled(
        candidates.map((each) => catalog.addFirstAccount(each)),
      );
      const first = attempts.findIndex(({ status }) => status === "fulfilled");
      expect(attempts.map(({ status }) => status)).toContain("rejected");
      await expectFault(catalog.addFirstAccount(account), "conflict");
      expect(await catalog.accountCount()).toBe(1);
      // Where changes run at the same time, either may be the first.
      for (const [at, candidate] of candidates.entries()) {
        const stored = at === first ? candidate : undefined;
        expect(await catalog.accountById(candidate.id)).toEqual(stored);
        expect(await catalog.accountByEmail(candidate.email)).toEqual(stored);
      }
    });

    test("are found only by the new address after a change", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      const { id: accountId } = account;
      await catalog.setEmail({ accountId, email: "eve@example.com" });
      expect(await catalog.accountByEmail(account.email)).toBeUndefined();
      const changed = { ...account, email: "eve@example.com" };
      expect(await catalog.accountByEmail(changed.email)).toEqual(changed);
      await catalog.setEmail({ accountId, email: changed.email });
      await expectFault(catalog.setEmail({ accountId: "x", email: "x@example.com" }), "not_found");
      await expectFault(catalog.setEmail({ accountId: "x", email: changed.email }), "conflict");
    });

    test("a new password ends the other sessions", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      for (const id of ["a", "b", "c"]) {
        await catalog.addSession({
          ...session(id, 1),
          hash: `hash ${id}`,
          passwordHash: account.passwordHash,
        });
      }
      const { id: accountId } = account;
      await catalog.setPassword({ accountId, passwordHash: "2", exceptSession: "b" });
      expect((await catalog.accountById(accountId))?.passwordHash).toBe("2");
      const late = { ...session("late", 1), hash: "late", passwordHash: account.passwordHash };
      await expectFault(catalog.addSession(late), "unauthorized");
      expect(await catalog.sessionsOf(accountId)).toEqual([session("b", 1)]);
      await catalog.setPassword({ accountId, passwordHash: "3" });
      expect(await catalog.sessionsOf(accountId)).toEqual([]);
      await expectFault(catalog.setPassword({ accountId: "x", passwordHash: "" }), "not_found");
    });

    test("one of several concurrent changes with the same password succeeds", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      const { id: accountId, passwordHash: ifPasswordHash } = account;
      const hashes = ["2", "3", "4", "5"];
      const ends = await Promise.allSettled(
        hashes.map((passwordHash) =>
          catalog.setPassword({ accountId, passwordHash, ifPasswordHash }),
        ),
      );
      const made = hashes.filter((_, at) => ends[at]?.status === "fulfilled");
      expect(made).toHaveLength(1);
      expect((await catalog.accountById(accountId))?.passwordHash).toBe(made[0]);
      const late = { accountId, ifPasswordHash };
      await expectFault(catalog.setPassword({ ...late, passwordHash: "6" }), "unauthorized");
      await expectFault(catalog.setEmail({ ...late, email: "eve@example.com" }), "unauthorized");
      expect(await catalog.accountByEmail(account.email)).toBeDefined();
    });
  });

  describe("two-step sign-in", () => {
    const { id: accountId } = account;
    const factor = { sealedSecret: "s", lastStep: 5, recoveryHashes: ["a", "b"], enabledAt: 9 };

    test("is off, turned on once, and turned off", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      expect(await catalog.secondFactorOf(accountId)).toBeUndefined();
      expect(await catalog.secondFactorOf("x")).toBeUndefined();
      const ifPasswordHash = account.passwordHash;
      const late = catalog.setSecondFactor({ accountId, factor, ifPasswordHash: "other" });
      await expectFault(late, "unauthorized");
      await catalog.setSecondFactor({ accountId, factor, ifPasswordHash });
      await expectFault(catalog.setSecondFactor({ accountId, factor }), "conflict");
      await expectFault(catalog.setSecondFactor({ accountId: "x", factor }), "not_found");
      const reopened = await fixture().reopen();
      expect(await reopened.secondFactorOf(accountId)).toEqual(factor);
      await reopened.setSecondFactor({ accountId, factor: null });
      expect(await reopened.secondFactorOf(accountId)).toBeUndefined();
    });

    test("accepts each step once, and none before the last, also at the same time", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      await catalog.setSecondFactor({ accountId, factor });
      const record = (step: number, sealedSecret = "s") =>
        catalog.recordTotpStep({ accountId, sealedSecret, step });
      expect([await record(4), await record(5), await record(6, "t")]).toEqual([
        false,
        false,
        false,
      ]);
      const together = await Promise.all(Array.from({ length: 8 }, () => record(6)));
      expect(together.filter(Boolean)).toHaveLength(1);
      expect((await catalog.secondFactorOf(accountId))?.lastStep).toBe(6);
    });

    test("takes each recovery code once, also at the same time", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      await catalog.setSecondFactor({ accountId, factor });
      const take = () => catalog.replaceRecoveryCodes({ accountId, from: ["a", "b"], to: ["b"] });
      const together = await Promise.all(Array.from({ length: 8 }, take));
      expect(together.filter(Boolean)).toHaveLength(1);
      expect(await catalog.replaceRecoveryCodes({ accountId, from: ["b"], to: [] })).toBe(true);
      expect((await catalog.secondFactorOf(accountId))?.recoveryHashes).toEqual([]);
      expect(await catalog.replaceRecoveryCodes({ accountId, from: [], to: ["c"] })).toBe(true);
    });
  });

  describe("sessions", () => {
    test("are found by hash, listed newest first, and end", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      for (const [index, id] of ["a", "b", "c", "d"].entries()) {
        await catalog.addSession({
          ...session(id, index),
          hash: `hash ${id}`,
          passwordHash: account.passwordHash,
        });
      }
      const ids = async () => (await catalog.sessionsOf(account.id)).map(({ id }) => id);
      expect(await catalog.sessionByHash("hash b")).toEqual(session("b", 1));
      expect(await catalog.sessionByHash("hash")).toBeUndefined();
      expect(await ids()).toEqual(["d", "c", "b", "a"]);
      expect(await catalog.sessionsOf("other")).toEqual([]);
      expect(await catalog.removeSession("other", "a")).toBe(false);
      expect(await catalog.removeSession(account.id, "b")).toBe(true);
      expect(await catalog.removeSession(account.id, "b")).toBe(false);
      expect(await catalog.sessionByHash("hash b")).toBeUndefined();
      // A session is valid while now < expiresAt.
      expect(await catalog.removeExpiredSessions(999)).toBe(0);
      expect(await catalog.removeExpiredSessions(1000)).toBe(1);
      expect(await catalog.removeOtherSessions(account.id, "c")).toBe(1);
      expect(await ids()).toEqual(["c"]);
    });
  });

  test("recordUse never moves back, and ignores unknown ids", async () => {
    const { catalog } = fixture();
    await catalog.addFirstAccount(account);
    await catalog.addApiKey({ ...apiKey("a"), hash: "key" });
    await catalog.addSession({
      ...session("s", 10),
      hash: "session",
      passwordHash: account.passwordHash,
    });
    const note = (id: string, at: number) =>
      catalog.recordUse({ apiKeys: [{ id, at }], sessions: [{ id: id === "a" ? "s" : id, at }] });
    await note("gone", 50);
    for (const [at, seen] of [
      [5, 10],
      [20, 20],
      [15, 20],
    ] as const) {
      await note("a", at);
      expect((await catalog.apiKeyByHash("key"))?.lastUsedAt).toBe(at === 15 ? 20 : at);
      expect((await catalog.sessionByHash("session"))?.lastSeenAt).toBe(seen);
    }
  });

  test("settings are put, replaced and removed", async () => {
    const { catalog } = fixture();
    expect(await catalog.setting("colour")).toBeUndefined();
    await catalog.putSetting("colour", null);
    await catalog.putSetting("colour", "");
    expect(await catalog.setting("colour")).toBe("");
    await catalog.putSetting("colour", "blue");
    expect(await (await fixture().reopen()).setting("colour")).toBe("blue");
  });

  test("the first of several concurrent claims of a setting wins", async () => {
    const { catalog } = fixture();
    const values = Array.from({ length: 20 }, (_, at) => `value ${at}`);
    const kept = await Promise.all(values.map((value) => catalog.claimSetting("place", value)));
    const [first = ""] = kept;
    expect(values).toContain(first);
    expect(kept).toEqual(values.map(() => first));
    expect(await catalog.setting("place")).toBe(first);
    await catalog.putSetting("place", null);
    expect(await catalog.claimSetting("place", "anew")).toBe("anew");
  });

  test("settings are put and read together", async () => {
    const { catalog } = fixture();
    expect(await catalog.settings([])).toEqual(new Map());
    await catalog.putSettings({ colour: "blue", size: "5", shape: null });
    await catalog.putSettings({ size: null, shape: "round", name: "x" });
    const found = await catalog.settings(["colour", "size", "shape", "none"]);
    expect(found).toEqual(
      new Map([
        ["colour", "blue"],
        ["shape", "round"],
      ]),
    );
  });

  test("ping answers while open; a closed catalog is unavailable", async () => {
    const { catalog } = fixture();
    await catalog.ping();
    const underWay = catalog.putSetting("last", "kept");
    await catalog.close();
    await underWay;
    await expectFault(catalog.putSetting("colour", "red"), "unavailable");
    await expectFault(catalog.ping(), "unavailable");
    await expectFault(
      Promise.try(() => catalog.apiKeyByHash("x")),
      "unavailable",
    );
    expect(await (await fixture().reopen()).setting("last")).toBe("kept");
  });
}
