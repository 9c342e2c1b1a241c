import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { blockOf } from "../../domain/blob-id.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../../domain/callers/ref.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Key, Sha256 } from "../../domain/records.ts";
import { createQuotaGuard } from "../../files/quotas/quota-guard.ts";
import { createQuotaService } from "../../files/quotas/quota-service.ts";
import type { Catalog } from "../port/catalog.ts";
import { QUOTAS_LOCK } from "../quotas/charge-usage.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  listAll,
  tick,
} from "../suite/catalog.fixture.ts";
import { newLink } from "../suite/links.fixture.ts";
import { AGENT, undoing } from "../suite/undo.fixture.ts";
import { createUploads } from "../suite/uploads.fixture.ts";
import { hold, holdFolder } from "./hold.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer, type TestDatabase } from "./server.fixture.ts";
import { LOCK_NAME } from "./transaction.ts";

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

let server: TestDatabase;
let url: string;
let catalog: Catalog;
let other: Catalog;

beforeAll(async () => {
  server = await postgresServer();
  url = await server.fresh();
  catalog = await openPostgresCatalog({ url });
  other = await openPostgresCatalog({ url });
});
afterAll(async () => {
  await catalog.close();
  await other.close();
});

async function deadlocks(): Promise<unknown> {
  await server.run(url, "select pg_stat_force_next_flush()");
  return server.run(
    url,
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
}

/** Whether it is still under way when anything that does not wait would be over. */
async function isWaiting(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), Bun.sleep(500).then(() => true)]);
}

test("opposite moves by two processes do not deadlock", async () => {
  const before = await deadlocks();
  const uploader = createUploader(catalog);
  const folders = await Promise.all(
    range(4).map((index) => catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`moves/${index}`))),
  );
  const files = await Promise.all(
    range(4).map((index) => uploader.addOne(`f${index}`, { folder: `moves/${index}` })),
  );
  for (let round = 0; round < 10; round += 1) {
    const outcomes = await Promise.allSettled(
      range(4).flatMap((index) => {
        const target = folders[(index + round + 1) % 4]?.id ?? "";
        const id = files[index]?.id ?? "";
        const folder = folders[index]?.id ?? "";
        return [
          catalog.changeFile(COMMAND_EVERYWHERE, { id, folderId: target }),
          other.changeFile(COMMAND_EVERYWHERE, { id, folderId: folder, visibility: "private" }),
          (index % 2 === 0 ? catalog : other).changeFolder(COMMAND_EVERYWHERE, {
            id: folder,
            parentId: target,
          }),
          other.changeFolder(COMMAND_EVERYWHERE, { id: folder, visibility: "public" }),
          uploader.add([`new ${round} ${index}`], { folder: `moves/${index}` }),
        ];
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        expect(["invalid", "conflict"]).toContain(outcome.reason.kind);
      }
    }
  }
  for await (const fault of catalog.inspect()) expect(fault).toBeUndefined();
  for (const file of await listAll(catalog))
    expect(await other.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
  expect(await deadlocks()).toEqual(before);
});

test("of several processes that move a file away from its key, one does", async () => {
  const uploader = createUploader(catalog);
  for (let round = 0; round < 30; round += 1) {
    const folder = `by key/${round}`;
    const { key } = await uploader.addOne("from", { folder });
    const outcomes = await Promise.allSettled(
      range(8).map((index) =>
        (index % 2 === 0 ? catalog : other).changeFile(COMMAND_EVERYWHERE, {
          id: { key },
          name: parseName(`to ${index}`),
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.kind).toBe("not_found");
    }
  }
});

test("a file that goes to a folder by its key never goes to one that has lost the key", async () => {
  const uploader = createUploader(catalog);
  for (let round = 0; round < 30; round += 1) {
    const top = parseKey(`targets/${round}`);
    const target = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${top}/target`));
    const { id } = await uploader.addOne("file", { folder: top });
    const [renamed, moved] = await Promise.allSettled([
      other.changeFolder(COMMAND_EVERYWHERE, { id: target.id, name: parseName("renamed") }),
      catalog.changeFile(COMMAND_EVERYWHERE, { id, folderId: { key: target.key } }),
    ]);
    expect(renamed.status).toBe("fulfilled");
    if (moved.status === "fulfilled") expect<string>(moved.value.key).toBe(`${target.key}/file`);
    else expect(moved.reason.kind).toBe("not_found");
  }
});

test("an undo of changes in two folders does not deadlock with a move between them", async () => {
  const before = await deadlocks();
  const { add, undo } = undoing(catalog);
  const { id } = await add("undone/1/a");
  const { id: trashed } = await add("undone/2/b");
  const target = await folderAt(catalog, "undone/2");
  await tick();
  const since = catalog.now();
  await tick();
  await add("undone/1/a", AGENT, 2);
  await tick();
  // The undo begins with this, and so in the folder that a move locks last.
  await catalog.trashFiles(AGENT, { ids: [trashed], keepMs: DAY });
  const end = await holdFolder(url, target.key);
  const undone = undo({ since });
  expect(await isWaiting(undone)).toBe(true);
  const moved = other.changeFile(COMMAND_EVERYWHERE, { id, folderId: target.id });
  expect(await isWaiting(moved)).toBe(true);
  await end();
  expect(await undone).toMatchObject({ total: 2, conflicts: [] });
  expect(await moved).toMatchObject({ key: parseKey("undone/2/a"), size: 1 });
  expect(await deadlocks()).toEqual(before);
});

test("a repeated upload waits for the rename of the folder, and then stores the file anew", async () => {
  const uploads = createUploads(catalog);
  const folder = parseKey("repeated");
  const options = { isWhole: true, file: { sha256: "ab".repeat(32) as Sha256 } };
  await uploads.finish(await uploads.add({ folder }), options);
  const again = await uploads.add({ folder });
  const end = await holdFolder(url, folder);
  const renaming = other.changeFolder(COMMAND_EVERYWHERE, {
    id: { key: folder },
    name: parseName("renamed after an upload"),
  });
  expect(await isWaiting(renaming)).toBe(true);
  const finishing = uploads.finish(again, options);
  expect(await isWaiting(finishing)).toBe(true);
  await end();
  await renaming;
  const file = await finishing;
  expect(file?.key).toBe(parseKey("repeated/a.bin"));
  expect(await other.fileByKey(COMMAND_EVERYWHERE, parseKey("repeated/a.bin"))).toEqual(file);
});

test("lifecycle rules of a bucket that is renamed leave its other settings as they are", async () => {
  const key = parseKey("ruled");
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, key);
  await catalog.setBucketSetting(COMMAND_EVERYWHERE, { key, name: "cors", value: "[]" });
  for (const [rules, folders] of [
    [[], {}],
    [[{ id: "r", prefix: "", isEnabled: true, isBare: false, days: 3 }], { "": key }],
  ] as const) {
    const end = await holdFolder(url, "");
    const name = parseName("renamed");
    const renaming = other.changeFolder(COMMAND_EVERYWHERE, { id, name });
    expect(await isWaiting(renaming)).toBe(true);
    const ruling = catalog.setBucketLifecycle(COMMAND_EVERYWHERE, { key, rules, folders });
    expect(await isWaiting(ruling)).toBe(true);
    await end();
    await renaming;
    await expectFault(ruling, "not_found");
    expect(await catalog.bucketSettings(parseKey("renamed"))).toEqual({ cors: "[]" });
    expect(await catalog.folderByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("ruled") });
  }
});

test("of two limits of a quota that are set at once, both are kept", async () => {
  const settings = () => ({ trashDays: 30, trashDeletions: false, keepVersions: false });
  const [bytes, files] = [catalog, other].map((each) =>
    createQuotaService(each, createQuotaGuard(each, settings, Date.now)),
  );
  for (let round = 0; round < 10; round += 1) {
    const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`limited ${round}`));
    await Promise.all([
      bytes?.set(AUTHORIZED_COMMAND, id, { maxBytes: 100 }),
      files?.set(AUTHORIZED_COMMAND, id, { maxFiles: 5 }),
    ]);
    const quotas = await catalog.listQuotas(COMMAND_EVERYWHERE);
    expect(quotas.find(({ folderId }) => folderId === id)).toMatchObject({
      maxBytes: 100,
      maxFiles: 5,
    });
  }
});

test("a quota that is set while its folder moves into another one keeps it from moving", async () => {
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("counted"));
  const { id: parentId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("outer"));
  await catalog.openQuota(id);
  await catalog.recountQuota(id);
  // Stops the move at its end, when it has found no limit.
  const end = await hold(url, LOCK_NAME, [QUOTAS_LOCK]);
  const moving = other.changeFolder(COMMAND_EVERYWHERE, { id, parentId });
  expect(await isWaiting(moving)).toBe(true);
  await catalog.setQuota(id, { maxBytes: 7 });
  await end();
  await expectFault(moving, "conflict", "Remove the quota first");
  const quotas = await catalog.listQuotas(COMMAND_EVERYWHERE);
  expect(quotas).toContainEqual(expect.objectContaining({ folderId: id, maxBytes: 7 }));
  await catalog.setQuota(id, { maxBytes: null });
});

describe("a folder that something new refers to", () => {
  const makers = {
    grant: (id: string, folder: Ref) =>
      catalog.addGrant({
        ...{ id, folder, accountId: null, group: "crew" },
        ...{ actions: ["read"], createdAt: 1 },
      }),
    invitation: (id: string, folder: Ref) =>
      catalog.addInvite({
        ...{ id, tokenHash: id, role: "member", makerId: null, makerName: "" },
        grants: [{ folder, actions: ["read"] }],
        ...{ createdAt: 1, expiresAt: Date.now() + DAY },
      }),
    "API key": (id: string, folder: Ref) =>
      catalog.addApiKey({
        ...{ id, hash: id, name: id, prefix: "hd_", createdAt: 1, lastUsedAt: null },
        ...{ expiresAt: null, actions: ["read"], parentId: null, folder: selectorOf(folder) },
      }),
    link: (_: string, folder: Ref) =>
      catalog.addLink(newLink({ kind: "folder", id: typeof folder === "string" ? folder : "" })),
  };
  /** Makes something for a folder while it is taken away. Both wait for the folder, in this order. */
  async function during(
    take: (id: string, key: Key) => Promise<unknown>,
    make: (id: string, folder: Ref) => Promise<unknown>,
    refTo: (id: string, key: Key) => Ref,
  ): Promise<void> {
    const name = Bun.randomUUIDv7();
    const { id, key } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(name));
    const end = await holdFolder(url, key);
    const taking = take(id, key);
    expect(await isWaiting(taking)).toBe(true);
    const making = make(name, refTo(id, key));
    expect(await isWaiting(making)).toBe(true);
    await end();
    await taking;
    await expectFault(making, "not_found");
  }
  const byId = (id: string): Ref => id;
  const byKey = (_: string, key: Key): Ref => ({ key });
  const rename = (id: string) =>
    other.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName(`${id} renamed`) });
  const remove = (id: string) => other.removeFolder(COMMAND_EVERYWHERE, id);
  const trash = (id: string) => other.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });

  for (const [what, make] of Object.entries(makers)) {
    test(`is not found for the ${what} once it is gone`, async () => {
      await during(remove, make, byId);
    });
    if (what === "link") continue;
    test(`is not found for the ${what} by a key that it has lost`, async () => {
      for (const take of [rename, trash]) await during(take, make, byKey);
    });
  }
});

test("uploads into a folder that goes to the trash and comes back do not deadlock", async () => {
  const before = await deadlocks();
  const uploaders = [createUploader(catalog), createUploader(other)];
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("there and back"));
  for (let round = 0; round < 30; round += 1) {
    const uploads = range(8).map((index) =>
      uploaders[index % 2]?.add([`${round} ${index}`], { folder: "there and back" }),
    );
    await Promise.all([
      other.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: 86_400_000 }),
      ...uploads,
      ...range(4).map(() => catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] })),
    ]);
    await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
  }
  expect(await deadlocks()).toEqual(before);
});

test("requests for files that several processes add at once do not deadlock", async () => {
  const before = await deadlocks();
  for (let round = 0; round < 10; round += 1) {
    // Each adds files that the others do not know yet, in another part of the order of the ids.
    const added = range(8).map((writer) =>
      (writer % 2 === 0 ? catalog : other).addCounts(
        "file",
        range(200).map((n) => {
          const requests = 1 + ((n * 7 + round) % 200);
          const subject = `${(n * 8 + writer * 100) % 1600} ${round}`;
          return { period: 0, subject, requests, bytes: 0, weight: requests };
        }),
      ),
    );
    await Promise.all([...added, other.removeCounts("file", 0)]);
  }
  expect(await deadlocks()).toEqual(before);
});

test("a rename does not undo a concurrent change of visibility", async () => {
  const uploader = createUploader(catalog);
  const files = await uploader.add(range(8).map(String), { folder: "secret" });
  const { id } = await folderAt(catalog, "secret");
  for (let round = 0; round < 8; round += 1) {
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id, visibility: "public" });
    const renames = files.map((file, index) =>
      other.changeFile(COMMAND_EVERYWHERE, { id: file.id, name: parseName(`${round} ${index}`) }),
    );
    const replaces = uploader.add(["again"], { folder: "secret", onConflict: "replace" });
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id, visibility: "private" });
    await Promise.all(renames);
    const [again] = await replaces;
    for (const file of await listAll(catalog, { folderId: id })) {
      // What was uploaded anew chose for itself.
      if (file.id !== again?.id || round > 0) expect(file.visibility).toBe("private");
    }
  }
});

test("a file replaced while it is removed keeps its new bytes or is gone", async () => {
  const uploader = createUploader(catalog);
  for (let round = 0; round < 20; round += 1) {
    const file = await uploader.addOne("coming and going", { folder: "both" });
    const [stored, removed] = await Promise.all([
      uploader.addOne("coming and going", { folder: "both", onConflict: "replace" }),
      other.removeFiles(COMMAND_EVERYWHERE, [file.id]),
    ]);
    const found = await catalog.fileByKey(COMMAND_EVERYWHERE, stored.key);
    const condemned = await catalog.condemnedBlobs(1000);
    if (found === undefined) {
      expect(removed).toEqual([{ id: file.id, key: file.key, blobId: stored.blobId }]);
      expect(condemned).toContain(stored.blobId);
    } else {
      expect(found).toEqual(stored);
      expect(condemned).not.toContain(stored.blobId);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [found.id]);
    }
    expect(condemned).toContain(file.blobId);
  }
});

test("a lease can be renewed but not released while files are added", async () => {
  const uploader = createUploader(catalog, "busy");
  const block = blockOf((await uploader.addOne("busy")).blobId);
  const adding = new Client({ connectionString: url });
  await adding.connect();
  await adding.query("begin");
  await adding.query("select block from blob_leases where block = $1 for key share", [block]);
  await catalog.renewLeases("busy", [block]);
  await server.run(url, "update blob_leases set heartbeat = heartbeat - 60000 where block = $1", [
    block,
  ]);
  expect(await catalog.releaseExpiredLeases()).not.toContain(block);
  const disowning = catalog.releaseLease(block);
  expect(await isWaiting(disowning)).toBe(true);
  await adding.query("commit");
  await adding.end();
  await disowning;
  expect(await catalog.leaseState(block)).toBe("released");
});

test("lookups do not wait for changes", async () => {
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("stuck"));
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select id from folders where id = $1 for update", [id]);
  const uploader = createUploader(catalog);
  await uploader.takeBlob();
  const uploads = Promise.all(
    range(40).map((index) => uploader.addOne(`${index}`, { folder: "stuck" })),
  );
  expect(await isWaiting(uploads)).toBe(true);
  expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("stuck"))).toBeDefined();
  await catalog.ping();
  await holder.query("commit");
  await holder.end();
  expect((await uploads).length).toBe(40);
});

test("a file that becomes private while its folder is copied has a private copy", async () => {
  const uploader = createUploader(catalog);
  const file = await uploader.addOne("a.txt", { folder: "copied" });
  const blobs = [{ from: file.blobId, to: await uploader.takeBlob() }];
  const changing = new Client({ connectionString: url });
  await changing.connect();
  await changing.query("begin");
  await changing.query("update files set visibility = 'private' where id = $1", [file.id]);
  const copying = catalog.copyFolder(COMMAND_EVERYWHERE, {
    id: file.folderId,
    blobs,
    owner: uploader.owner,
    onConflict: "keepBoth",
    keepReplacedMs: undefined,
  });
  expect(await isWaiting(copying)).toBe(true);
  await changing.query("commit");
  await changing.end();
  const outcome = await copying;
  const { key = "" } = "copied" in outcome ? outcome.copied.folder : {};
  const copy = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey(`${key}/a.txt`));
  expect(copy).toMatchObject({ visibility: "private", blobId: blobs[0]?.to });
});
