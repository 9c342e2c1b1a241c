import { describe, expect, test } from "bun:test";
import { BY_PASSWORD } from "../../access/credentials.fixture.ts";
import { type GrantAction, newAccount } from "../../domain/accounts.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { LinkRecord } from "../../domain/links.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { AccountRecord, Role } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import {
  type CatalogFixture,
  createUploader,
  DAY,
  expectFault,
  folderAt,
  trashedKeys,
} from "./catalog.fixture.ts";
import { newLink } from "./links.fixture.ts";

const account = (id: string, role: Role = "member"): AccountRecord =>
  newAccount({ id, email: `${id}@example.com`, passwordHash: `hash ${id}`, createdAt: 1, role });

const session = (id: string, accountId: string) => ({
  id,
  accountId,
  userAgent: "",
  address: "",
  createdAt: 1,
  lastSeenAt: 1,
  expiresAt: 9,
  ...BY_PASSWORD,
  hash: `session ${id}`,
  passwordHash: `hash ${accountId}`,
});

const apiKey = (id: string, accountId?: string) => ({
  id,
  hash: `hash ${id}`,
  name: id,
  prefix: "hd_",
  createdAt: 1,
  lastUsedAt: null,
  expiresAt: null,
  actions: ["list"] as const,
  folder: null,
  parentId: null,
  accountId,
});

async function withPeople(catalog: Catalog, ...members: readonly string[]): Promise<void> {
  await catalog.addFirstAccount(account("owner", "owner"));
  for (const id of members) await catalog.addAccount(account(id));
}

/** Grants a new folder at this path. */
async function grantOf(catalog: Catalog, accountId: string, path: string) {
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
  const actions: GrantAction[] = ["list", "read"];
  return catalog.addGrant({
    id: `grant ${path}`,
    accountId,
    group: null,
    folder: { key: parseKey(path) },
    actions,
    createdAt: 2,
  });
}

const grantsOf = async (catalog: Catalog, accountId: string, groups: readonly string[] = []) =>
  catalog.grantsOf({ accountId, groups });

const kinds = (outcomes: readonly PromiseSettledResult<unknown>[]): string[] =>
  outcomes.map((each) => (each.status === "fulfilled" ? "done" : each.reason.code)).sort();

export function peopleSuite(fixture: () => CatalogFixture): void {
  describe("accounts of several people", () => {
    test("are listed, and have an address and an identity of their own", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const identity = { issuer: "https://id.example.com", subject: "1" };
      await catalog.addAccount({ ...account("grace"), passwordHash: "" }, { identity });
      expect(await catalog.accounts()).toMatchObject([
        { id: "ada", role: "member", disabledAt: null, identities: 0, passkeys: 0 },
        { id: "grace", hasSecondFactor: false, identities: 1 },
        { id: "owner", role: "owner" },
      ]);
      expect((await catalog.accountByIdentity(identity.issuer, "1"))?.id).toBe("grace");
      expect(await catalog.accountByIdentity("https://evil.example.com", "1")).toBeUndefined();
      const same = { ...account("eve"), email: "ada@example.com" };
      await expectFault(catalog.addAccount(same), "conflict");
      await expectFault(catalog.addAccount(account("eve"), { identity }), "conflict");
      expect(await catalog.accountById("eve")).toBeUndefined();
      const second = { accountId: "grace", issuer: "i", subject: "2", createdAt: 3 };
      await catalog.addIdentity(second);
      await expectFault(catalog.addIdentity({ ...second, accountId: "ada" }), "conflict");
      await expectFault(catalog.addIdentity({ ...second, accountId: "x" }), "not_found");
      expect(await catalog.identitiesOf("grace")).toHaveLength(2);
      expect(await catalog.removeIdentity({ ...second, accountId: "ada" })).toBe(false);
      expect(await catalog.removeIdentity(second)).toBe(true);
    });

    test("lose their groups with the last identity", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const identities = ["1", "2"].map((subject) => ({ accountId: "ada", issuer: "i", subject }));
      for (const each of identities) await catalog.addIdentity({ ...each, createdAt: 1 });
      const groups = ["staff"];
      await catalog.addSession({ ...session("s", "ada"), method: "oidc", groups });
      for (const [at, each] of identities.entries()) {
        expect(await catalog.removeIdentity(each)).toBe(true);
        expect((await catalog.accountById("ada"))?.groups).toEqual(at === 0 ? groups : []);
      }
    });

    test("end with their sessions, keys, grants and identities", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada", "eve");
      await catalog.addSession(session("s", "ada"));
      await catalog.addApiKey(apiKey("key", "ada"));
      await catalog.addApiKey({ ...apiKey("child"), parentId: "key" });
      await catalog.addApiKey(apiKey("other", "eve"));
      await catalog.addIdentity({ accountId: "ada", issuer: "i", subject: "1", createdAt: 1 });
      await grantOf(catalog, "ada", "a");
      expect((await catalog.apiKeyById("child"))?.accountId).toBe("ada");
      const removed = await catalog.removeAccount("ada");
      expect(removed).toMatchObject({ account: { id: "ada" } });
      expect(removed.keys.toSorted()).toEqual(["child", "key"]);
      expect(await catalog.sessionByHash("session s")).toBeUndefined();
      expect(await catalog.apiKeyById("child")).toBeUndefined();
      expect((await catalog.apiKeyById("other"))?.accountId).toBe("eve");
      expect(await catalog.grants()).toEqual([]);
      expect(await catalog.accountByIdentity("i", "1")).toBeUndefined();
      await expectFault(catalog.removeAccount("ada"), "not_found");
      await expectFault(catalog.addApiKey(apiKey("late", "ada")), "unauthorized");
    });

    test("are disabled with all sessions, and start none", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      await catalog.addSession(session("s", "ada"));
      await catalog.changeAccount({ id: "ada", disabledAt: 5 });
      expect((await catalog.accountById("ada"))?.disabledAt).toBe(5);
      expect(await catalog.sessionsOf("ada")).toEqual([]);
      await expectFault(catalog.addSession(session("t", "ada")), "forbidden", "disabled");
      await expectFault(catalog.addApiKey(apiKey("k", "ada")), "forbidden", "disabled");
      await catalog.changeAccount({ id: "ada", disabledAt: null });
      await catalog.addSession(session("t", "ada"));
      await expectFault(catalog.changeAccount({ id: "x", role: "owner" }), "not_found");
    });

    test("remember the groups of the last sign-in at a provider", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const groups = ["design, print", 'a"b'];
      await catalog.addSession({ ...session("s", "ada"), method: "oidc", groups });
      await catalog.addSession(session("t", "ada"));
      expect((await catalog.accountById("ada"))?.groups).toEqual(groups);
      expect(await catalog.sessionByHash("session s")).toMatchObject({ method: "oidc", groups });
      expect((await catalog.sessionByHash("session t"))?.groups).toEqual([]);
    });

    test("reset their second factor with all sessions", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const factor = { sealedSecret: "s", lastStep: 1, recoveryHashes: [], enabledAt: 1 };
      await catalog.setSecondFactor({ accountId: "ada", factor });
      expect((await catalog.accountById("ada"))?.hasSecondFactor).toBe(true);
      await catalog.addSession(session("s", "ada"));
      await catalog.resetSecondFactor("ada");
      expect(await catalog.secondFactorOf("ada")).toBeUndefined();
      expect(await catalog.sessionsOf("ada")).toEqual([]);
      await expectFault(catalog.resetSecondFactor("x"), "not_found");
    });
  });

  describe("the last owner that is not disabled", () => {
    test("stays one", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      await catalog.addAccount(account("second", "owner"));
      await catalog.changeAccount({ id: "second", disabledAt: 1 });
      const id = "owner";
      for (const change of [
        () => catalog.changeAccount({ id, role: "member" }),
        () => catalog.changeAccount({ id, disabledAt: 1 }),
        () => catalog.removeAccount(id),
      ]) {
        await expectFault(change(), "conflict", "only owner");
      }
      expect(await catalog.accountById(id)).toMatchObject({ role: "owner", disabledAt: null });
      // One that is disabled anyway can go.
      await catalog.removeAccount("second");
    });

    test("is not changed by several at once", async () => {
      const { catalog } = fixture();
      await withPeople(catalog);
      for (let round = 0; round < 5; round += 1) {
        const others = [`b${round}`, `c${round}`];
        for (const id of others) await catalog.addAccount(account(id, "owner"));
        const [b = "", c = ""] = others;
        const outcomes = await Promise.allSettled([
          catalog.changeAccount({ id: "owner", role: "member" }),
          catalog.changeAccount({ id: b, disabledAt: 1 }),
          catalog.removeAccount(c),
        ]);
        expect(kinds(outcomes)).toEqual(["done", "done", "last_owner"]);
        const owners = (await catalog.accounts()).filter(
          ({ role, disabledAt }) => role === "owner" && disabledAt === null,
        );
        expect(owners).toHaveLength(1);
        await catalog.changeAccount({ id: "owner", role: "owner", disabledAt: null });
        for (const { id } of await catalog.accounts()) {
          if (id !== "owner") await catalog.removeAccount(id);
        }
      }
    });
  });

  describe("a grant", () => {
    test("is for an account or a group, and follows its folder", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada", "eve");
      const grant = await grantOf(catalog, "ada", "a/b");
      const { id: folderId } = await folderAt(catalog, "a/b");
      expect(grant).toEqual({
        id: "grant a/b",
        accountId: "ada",
        group: null,
        folderId,
        folderKey: parseKey("a/b"),
        actions: ["list", "read"],
        createdAt: 2,
      });
      const root = await catalog.addGrant({
        id: "root",
        accountId: null,
        group: "design",
        folder: { key: parseKey("") },
        actions: ["list"],
        createdAt: 3,
      });
      expect(root.folderKey).toBe(parseKey(""));
      expect(await grantsOf(catalog, "ada")).toEqual([grant]);
      expect(await grantsOf(catalog, "ada", ["x", "design"])).toEqual([grant, root]);
      expect(await grantsOf(catalog, "eve", ["Design", "design, x"])).toEqual([]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: folderId, name: parseName("c") });
      expect((await grantsOf(catalog, "ada"))[0]?.folderKey).toBe(parseKey("a/c"));
      const changed = await catalog.changeGrant({ id: grant.id, actions: ["list"] });
      expect(changed.actions).toEqual(["list"]);
      expect(await grantsOf(catalog, "ada")).toEqual([changed]);
      expect(await catalog.removeGrant(grant.id)).toEqual(changed);
      expect(await catalog.removeGrant(grant.id)).toBeUndefined();
      expect(await grantsOf(catalog, "ada")).toEqual([]);
      await expectFault(catalog.changeGrant({ id: grant.id, actions: ["list"] }), "not_found");
    });

    test("needs a folder in the tree and an account", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const grant = { id: "g", group: null, actions: ["list"] as const, createdAt: 1 };
      const missing = { ...grant, accountId: "ada", folder: { key: parseKey("none") } };
      await expectFault(catalog.addGrant(missing), "not_found");
      const nobody = { ...grant, accountId: "x", folder: { key: parseKey("") } };
      await expectFault(catalog.addGrant(nobody), "not_found");
    });

    test("rests with its folder in the trash, and ends with it", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      for (const ends of ["purge", "remove"] as const) {
        const { folderId: id } = await grantOf(catalog, "ada", ends);
        const { undoId } = await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
        expect(await grantsOf(catalog, "ada")).toMatchObject([{ folderId: id, folderKey: null }]);
        await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId });
        expect(await grantsOf(catalog, "ada")).toMatchObject([{ folderKey: parseKey(ends) }]);
        if (ends === "purge") {
          await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
          await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: [id] });
        } else {
          await catalog.removeFolder(COMMAND_EVERYWHERE, id);
        }
        expect(await grantsOf(catalog, "ada")).toEqual([]);
        while (await catalog.emptyRemovedFolders(100));
        const rows = await fixture().everything();
        expect(rows.filter((row) => row.includes(`grant ${ends}`))).toEqual([]);
      }
    });
  });

  describe("a link with deleteAtEnd", () => {
    test("deletes only what the grants of its maker allow then", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      await withPeople(catalog, "ada", "left");
      await catalog.addAccount(account("boss", "owner"));
      const grants = [];
      for (const path of ["deletes", "reads", "ended"]) {
        grants.push(await grantOf(catalog, "ada", path));
      }
      await catalog.changeGrant({ id: "grant deletes", actions: ["delete", "share"] });
      await catalog.changeGrant({ id: "grant ended", actions: ["delete", "share"] });
      const ofKey = { ...apiKey("key", "ada"), actions: ["delete", "share"] as const };
      await catalog.addApiKey({ ...ofKey, outerFolderIds: [grants[0]?.folderId ?? ""] });
      const expiresAt = Date.now() + 60_000;
      const link = async (path: string, maker: LinkRecord["maker"]) => {
        const [folder = "", name = ""] = path.split("/");
        const { id } = await uploader.addOne(name, { folder });
        const subject = { kind: "file", id } as const;
        await catalog.addLink({ ...newLink(subject), maker, deleteAtEnd: true, expiresAt });
      };
      const by = (id: string) => ({ kind: "account", id, name: id }) as const;
      for (const folder of ["deletes", "reads", "ended"]) await link(`${folder}/own`, by("ada"));
      await link("other/own", by("ada"));
      await link("other/left", by("left"));
      await link("other/boss", by("boss"));
      await link("deletes/key", { kind: "key", id: "key", name: "key" });
      await link("other/key", { kind: "key", id: "key", name: "key" });
      await catalog.removeGrant("grant ended");
      await catalog.changeAccount({ id: "left", disabledAt: 1 });
      await passTime(60);
      while (await catalog.deleteAtEndOfLink(DAY));
      const trashed = ["deletes/key", "deletes/own", "other/boss"];
      expect((await trashedKeys(catalog)).toSorted()).toEqual(trashed);
    });
  });

  describe("a key of an account", () => {
    test("is limited to the folders that it is made with, and changed for its account only", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada", "eve");
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("c"));
      const { id: a } = await folderAt(catalog, "a");
      const { id: b } = await folderAt(catalog, "a/b");
      const outer = { outerFolderIds: [a] };
      const made = await catalog.addApiKey({ ...apiKey("k", "ada"), ...outer });
      expect(made).toMatchObject({ folderIds: [a], accountId: "ada" });
      const inner = { ...apiKey("i", "ada"), ...outer, folder: { id: b } };
      expect((await catalog.addApiKey(inner)).folderIds).toEqual([b, a]);
      const outside = { ...apiKey("o", "ada"), ...outer, folder: { key: parseKey("c") } };
      await expectFault(catalog.addApiKey(outside), "not_found");
      const renamed = { id: "k", name: "new" };
      await expectFault(catalog.renameApiKey({ ...renamed, accountId: "eve" }), "not_found");
      expect((await catalog.renameApiKey({ ...renamed, accountId: "ada" })).name).toBe("new");
      expect(await catalog.removeApiKey({ id: "k", accountId: "eve" })).toEqual([]);
      expect(await catalog.removeApiKey({ id: "k", accountId: "ada" })).toEqual(["k"]);
    });
  });

  test("what an owner does for others takes effect only while it is one", async () => {
    const { catalog } = fixture();
    await withPeople(catalog, "ada", "grace");
    const passwordHash = "other";
    const reset = { accountId: "grace", passwordHash };
    for (const byOwner of ["ada", "nobody"]) {
      await expectFault(catalog.addAccount(account("eve", "owner"), { byOwner }), "forbidden");
      await expectFault(catalog.setPassword({ ...reset, byOwner }), "forbidden");
      await expectFault(catalog.resetSignIn({ ...reset, byOwner }), "forbidden");
      await expectFault(catalog.resetSecondFactor("grace", byOwner), "forbidden");
    }
    expect(await catalog.accountById("grace")).toMatchObject({ passwordHash: "hash grace" });
    expect(await catalog.accounts()).toHaveLength(3);
    await catalog.addAccount(account("eve"), { byOwner: "owner" });
    await catalog.resetSignIn({ ...reset, byOwner: "owner" });
    expect(await catalog.accountById("grace")).toMatchObject({ passwordHash });
  });

  describe("an invitation", () => {
    const invite = (id: string, more: object = {}) => ({
      id,
      tokenHash: `token ${id}`,
      role: "member" as const,
      grants: [],
      makerId: null as string | null,
      makerName: "owner@example.com",
      createdAt: 1,
      expiresAt: 100,
      ...more,
    });
    const acceptance = (tokenHash: string, id: string, now = 50) => ({
      tokenHash,
      now,
      account: { id, email: `${id}@example.com`, passwordHash: "", createdAt: now },
    });

    test("is accepted once, before it expires, also by several at once", async () => {
      const { catalog } = fixture();
      await withPeople(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
      const { id: folderId } = await folderAt(catalog, "a");
      const actions = ["list" as const];
      await catalog.addInvite(invite("one", { grants: [{ folder: folderId, actions }] }));
      await catalog.addInvite(invite("two"));
      expect((await catalog.invites(50)).map(({ id }) => id)).toEqual(["two", "one"]);
      expect(await catalog.inviteByHash("token one")).toMatchObject({
        grants: [{ folderId, actions }],
      });
      await expectFault(catalog.acceptInvite(acceptance("token two", "late", 100)), "gone");
      const outcomes = await Promise.allSettled(
        ["a", "b", "c", "d"].map((id) => catalog.acceptInvite(acceptance("token one", id))),
      );
      expect(kinds(outcomes)).toEqual(["done", "gone", "gone", "gone"]);
      const [made] = outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      expect(made).toMatchObject({ role: "member" });
      expect(await grantsOf(catalog, made?.id ?? "")).toMatchObject([{ folderId }]);
      expect(await catalog.accounts()).toHaveLength(2);
    });

    test("stays open if its acceptance fails, and can be removed", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      await catalog.addInvite(invite("one"));
      await expectFault(catalog.acceptInvite(acceptance("token one", "ada")), "conflict");
      expect(await catalog.invites(50)).toHaveLength(1);
      expect(await catalog.removeInvite("one")).toMatchObject({ id: "one" });
      expect(await catalog.removeInvite("one")).toBeUndefined();
      await expectFault(catalog.acceptInvite(acceptance("token one", "b")), "gone");
      const grants = [{ folder: "none", actions: ["list"] }];
      await expectFault(catalog.addInvite(invite("two", { grants })), "not_found");
    });

    test("counts as others while it is open, as a grant and a second account do", async () => {
      const { catalog } = fixture();
      await withPeople(catalog);
      expect(await catalog.hasOthers(50)).toBe(false);
      await catalog.addInvite(invite("one"));
      expect([await catalog.hasOthers(50), await catalog.hasOthers(100)]).toEqual([true, false]);
      await catalog.removeInvite("one");
      await catalog.addAccount(account("ada"));
      expect(await catalog.hasOthers(50)).toBe(true);
      await catalog.removeAccount("ada");
      expect(await catalog.hasOthers(50)).toBe(false);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("photos"));
      const folder = { key: parseKey("photos") };
      const grant = { id: "g", accountId: null, group: "design", folder, createdAt: 2 };
      await catalog.addGrant({ ...grant, actions: ["read"] });
      expect(await catalog.hasOthers(50)).toBe(true);
    });

    test("ends when its maker is no owner any more, or is disabled or removed", async () => {
      const { catalog } = fixture();
      await withPeople(catalog, "ada");
      const makerId = "ada";
      const ends = [
        () => catalog.changeAccount({ id: makerId, role: "member" }),
        () => catalog.changeAccount({ id: makerId, disabledAt: 2 }),
        () => catalog.removeAccount(makerId),
      ];
      await catalog.addInvite(invite("owner", { makerId: "owner" }));
      for (const [at, end] of ends.entries()) {
        await catalog.changeAccount({ id: makerId, role: "owner", disabledAt: null });
        await catalog.addInvite(invite(`${at}`, { makerId, role: "owner" }));
        await end();
        await expectFault(catalog.acceptInvite(acceptance(`token ${at}`, `eve${at}`)), "gone");
        await expectFault(catalog.addInvite(invite(`late ${at}`, { makerId })), "forbidden");
      }
      expect((await catalog.invites(50)).map(({ id }) => id)).toEqual(["owner"]);
    });
  });
}
