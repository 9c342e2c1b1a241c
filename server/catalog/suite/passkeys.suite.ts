import { describe, expect, test } from "bun:test";
import { BY_PASSWORD, OWNER } from "../../access/credentials.fixture.ts";
import type { AccountRecord, PasskeyRecord } from "../../domain/records.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { expectFault } from "./catalog.fixture.ts";

const account: AccountRecord = {
  id: "admin",
  email: "admin@example.org",
  passwordHash: "$argon2id$1",
  ...OWNER,
  createdAt: 1,
};
const { id: accountId, passwordHash: ifPasswordHash } = account;

const passkey = (id: string, createdAt = 1): PasskeyRecord => ({
  id,
  accountId,
  credentialId: `credential ${id}`,
  publicKey: "pQECAyYgASFYIA",
  counter: 0,
  transports: id === "a" ? [] : ["internal", "hybrid"],
  canSync: id === "b",
  isSynced: false,
  host: "files.example.com",
  name: `passkey ${id}`,
  createdAt,
  lastUsedAt: null,
});

const challenge = (hash: string, expiresAt = 1000) => ({ hash, expiresAt });

const added = (id: string, createdAt = 1) => ({
  passkey: passkey(id, createdAt),
  challenge: challenge(`added ${id}`),
  ifPasswordHash,
});

const use = (hash: string, counter = 0, at = 5) => ({
  id: "a",
  challenge: challenge(hash),
  counter,
  isSynced: false,
  at,
});

export function passkeysSuite(fixture: () => CatalogFixture): void {
  describe("passkeys", () => {
    test("are found by credential id, listed newest first, renamed and removed", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      for (const [index, id] of ["a", "b", "c"].entries()) {
        await catalog.addPasskey(added(id, index));
      }
      const reopened = await fixture().reopen();
      const listed = [passkey("c", 2), passkey("b", 1), passkey("a", 0)];
      expect(await reopened.passkeysOf(accountId)).toEqual(listed);
      expect(await reopened.passkeysOf("x")).toEqual([]);
      expect(await reopened.passkeyByCredentialId("credential b")).toEqual(passkey("b", 1));
      expect(await reopened.passkeyByCredentialId("b")).toBeUndefined();

      expect(await reopened.hasPasskeys("files.example.com")).toBe(true);
      expect(await reopened.hasPasskeys("example.com")).toBe(false);

      const renamed = { ...passkey("b", 1), name: "Phone" };
      expect(await reopened.renamePasskey({ accountId, id: "b", name: "Phone" })).toEqual(renamed);
      const late = { accountId: "x", id: "b", name: "Stolen" };
      await expectFault(reopened.renamePasskey(late), "not_found");
      expect(await reopened.removePasskey("x", "b")).toBeUndefined();
      expect(await reopened.removePasskey(accountId, "b")).toEqual(renamed);
      expect(await reopened.removePasskey(accountId, "b")).toBeUndefined();
      expect(await reopened.passkeyByCredentialId("credential b")).toBeUndefined();
    });

    test("are added once, with an unused challenge and the current password", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      const outdated = { ...added("a"), ifPasswordHash: "other" };
      await expectFault(catalog.addPasskey(outdated), "unauthorized");
      const others = { ...added("a"), passkey: { ...passkey("a"), accountId: "x" } };
      await expectFault(catalog.addPasskey(others), "not_found");
      await catalog.addPasskey(added("a"));
      await expectFault(catalog.addPasskey(added("a")), "invalid");
      const again = { ...added("a"), passkey: { ...passkey("z"), credentialId: "credential a" } };
      await expectFault(catalog.addPasskey({ ...again, challenge: challenge("2") }), "conflict");
      await expectFault(
        catalog.addPasskey({ ...added("b"), challenge: challenge("added a") }),
        "invalid",
      );
      expect(await catalog.passkeysOf(accountId)).toEqual([passkey("a")]);
    });

    test("are at most 50", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      for (let index = 0; index < 50; index += 1) await catalog.addPasskey(added(`k${index}`));
      await expectFault(catalog.addPasskey(added("more")), "conflict");
    });

    test("use each challenge once, also at the same time", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      await catalog.addPasskey(added("a"));
      const ends = await Promise.allSettled(
        Array.from({ length: 8 }, () => catalog.recordPasskeyUse(use("same"))),
      );
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expectFault(catalog.recordPasskeyUse(use("same")), "unauthorized");
      await expectFault(catalog.recordPasskeyUse(use("added a")), "unauthorized");
      const [used] = await catalog.passkeysOf(accountId);
      expect(used).toEqual({ ...passkey("a"), lastUsedAt: 5 });
    });

    test("remember used challenges for a day after they have expired", async () => {
      const { catalog } = fixture();
      const DAY = 24 * 3600 * 1000;
      await catalog.addFirstAccount(account);
      await catalog.addPasskey(added("a"));
      await catalog.recordPasskeyUse(use("first"));
      await catalog.recordPasskeyUse(use("second", 0, DAY + 1000));
      await expectFault(catalog.recordPasskeyUse(use("first", 0, DAY + 1000)), "unauthorized");
      // Of that age, the caller would not accept it.
      await catalog.recordPasskeyUse(use("first", 0, DAY + 1001));
    });

    test("count upwards if they count, also at the same time", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      await catalog.addPasskey(added("a"));
      await catalog.recordPasskeyUse({ ...use("1", 7), isSynced: true });
      const [used] = await catalog.passkeysOf(accountId);
      expect([used?.counter, used?.isSynced]).toEqual([7, true]);
      for (const counter of [7, 6, 0]) {
        await expectFault(
          catalog.recordPasskeyUse(use(`back ${counter}`, counter)),
          "unauthorized",
        );
      }
      const ends = await Promise.allSettled(
        ["x", "y", "z"].map((hash) => catalog.recordPasskeyUse(use(hash, 8))),
      );
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await catalog.removePasskey(accountId, "a");
      await expectFault(catalog.recordPasskeyUse(use("late", 9)), "unauthorized");
    });

    test("stay when the password changes, and are removed when the sign-in is reset", async () => {
      const { catalog } = fixture();
      await catalog.addFirstAccount(account);
      await catalog.addPasskey(added("a"));
      const factor = { sealedSecret: "s", lastStep: 5, recoveryHashes: ["a"], enabledAt: 9 };
      await catalog.setSecondFactor({ accountId, factor });
      await catalog.setPassword({ accountId, passwordHash: "2" });
      expect(await catalog.passkeysOf(accountId)).toHaveLength(1);
      const session = { id: "s", accountId, userAgent: "", address: "", hash: "h" };
      const times = { createdAt: 1, lastSeenAt: 1, expiresAt: 9 };
      await catalog.addSession({ ...session, ...times, ...BY_PASSWORD, passwordHash: "2" });

      await catalog.resetSignIn({ accountId, passwordHash: "3" });
      expect(await catalog.passkeysOf(accountId)).toEqual([]);
      expect(await catalog.secondFactorOf(accountId)).toBeUndefined();
      expect(await catalog.sessionsOf(accountId)).toEqual([]);
      expect((await catalog.accountById(accountId))?.passwordHash).toBe("3");
      await expectFault(catalog.resetSignIn({ accountId: "x", passwordHash: "3" }), "not_found");
    });
  });
}
