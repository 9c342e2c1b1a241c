import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../test/expectations.ts";
import { type Receiver, startReceiver } from "../../test/webhook-receiver.ts";
import { createSealer } from "../access/sealer.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createUploader, expectFault, folderAt } from "../catalog/suite/catalog.fixture.ts";
import { AUTHORIZED_COMMAND } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { FULL_SCOPE } from "../domain/callers/scope.ts";
import { parseKey, parseName } from "../domain/names/name.ts";
import { createFeed } from "../feed/feed.ts";
import { parseAllowed } from "../outgoing/allow-list.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import type { WebhooksDeps } from "./deps.ts";
import { secretsOf } from "./secrets-of.ts";
import { createWebhooks, type WebhookManager, type Webhooks } from "./webhooks.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-webhooks-"));
const manager: WebhookManager = { ...AUTHORIZED_COMMAND, makerIds: undefined };
let catalog: Catalog;
let receiver: Receiver;
const senders: Webhooks[] = [];

beforeAll(async () => {
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map(({ sender }) => sender.stop()));
  for (const { id } of await catalog.listWebhooks()) await catalog.removeWebhook(id);
  receiver.received.length = 0;
  receiver.answer = (_delivery, response) => void response.writeHead(204).end();
});
afterAll(async () => {
  receiver.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

function open(deps: Partial<WebhooksDeps> = {}): Webhooks {
  const allowed = parseAllowed("127.0.0.1");
  const webhooks = createWebhooks({
    catalog,
    feed: createFeed({ catalog, onError: (message) => expect(message).toBe("") }),
    outgoing: createOutgoing({ allowed: allowed === undefined ? [] : [allowed], userAgent: "x" }),
    sealer: createSealer(() => "a secret", "test"),
    scopeOf: () => FULL_SCOPE,
    describeChange: ({ view: { id, key } }) => ({ id, key }),
    owner: crypto.randomUUID(),
    onError: (message, cause) => expect([message, cause]).toEqual([]),
    pauses: [0],
    ...deps,
  });
  senders.push(webhooks);
  return webhooks;
}

const make = async (webhooks: Webhooks, wanted: object = {}) =>
  (await webhooks.create(manager, { name: "x", url: receiver.url, ...wanted })).webhook;

const put = (name: string) => createUploader(catalog).add([name], { folder: "a" });

const stateOf = async (id: string) => catalog.webhookById(id);

test("tells first that changes are missing, and goes on with those that are left", async () => {
  const webhooks = open();
  const { id } = await make(webhooks);
  for (const name of ["gone1", "gone2", "kept"]) await put(name);
  const end = await catalog.feedEnd();
  await catalog.pruneChanges({ before: 0, keep: 2, limit: 100 });
  let failures = 1;
  receiver.answer = (_delivery, response) => {
    failures -= 1;
    response.writeHead(failures >= 0 ? 500 : 204).end();
  };
  webhooks.sender.start();
  await eventually("the last change", () => receiver.keys().includes("a/kept"));
  expect(receiver.received.map(({ type, key }) => [type, key])).toEqual([
    ["feed.gap", ""],
    ["feed.gap", ""],
    ["file.created", "a/kept"],
  ]);
  expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id ?? "none");
  await eventually("the cursor", async () => (await stateOf(id))?.cursor.seq === end.seq);
});

test("is paused after 48 hours of failures, and resumes where it stopped", async () => {
  let now = Date.now();
  const clock: Catalog = { ...catalog, now: () => now };
  const webhooks = open({ catalog: clock, pauses: [0, 0, 0, 0] });
  const { id } = await make(webhooks, { kinds: ["file.created"] });
  receiver.answer = (_delivery, response) => {
    now += 20 * 3_600_000;
    response.writeHead(503).end();
  };
  await put("paused");
  webhooks.sender.start();
  await eventually("it is paused", async () => (await stateOf(id))?.state === "paused");
  expect(receiver.received).toHaveLength(4);
  expect((await stateOf(id))?.reason).toContain("48 hours");
  receiver.answer = (_delivery, response) => void response.writeHead(200).end();
  await webhooks.change(manager, id, { active: true });
  await eventually("it arrives", () => receiver.received.length === 5);
  expect(new Set(receiver.keys())).toEqual(new Set(["a/paused"]));
});

test("is served by one of several senders at a time, each event once and in order", async () => {
  const all = [open(), open(), open()];
  const [first] = all;
  if (first === undefined) throw new Error("There is no sender.");
  await make(first, { kinds: ["file.created"] });
  let open_ = 0;
  let most = 0;
  receiver.answer = (_delivery, response) => {
    open_ += 1;
    most = Math.max(most, open_);
    setTimeout(() => {
      open_ -= 1;
      response.writeHead(204).end();
    }, 5);
  };
  for (const { sender } of all) sender.start();
  const names = Array.from({ length: 60 }, (_, index) => `one${index}`);
  for (const name of names) await put(name);
  await eventually("all arrive", () => receiver.received.length >= names.length);
  await Bun.sleep(700);
  expect(receiver.keys()).toEqual(names.map((name) => `a/${name}`));
  expect(most).toBe(1);
});

test("loses its sender when it is changed, and goes on with the change", async () => {
  const webhooks = open();
  const other = await startReceiver();
  const { id } = await make(webhooks, { kinds: ["file.created"] });
  receiver.answer = (_delivery, response) => setTimeout(() => response.writeHead(204).end(), 100);
  webhooks.sender.start();
  const names = Array.from({ length: 12 }, (_, index) => `moved${index}`);
  for (const name of names) await put(name);
  await eventually("some arrive", () => receiver.received.length > 2);
  await webhooks.change(manager, id, { url: other.url });
  await eventually("the rest", () => other.keys().includes("a/moved11"));
  other.close();
  const seen = [...receiver.keys(), ...other.keys()];
  expect([...new Set(seen)]).toEqual(names.map((name) => `a/${name}`));
});

/** Runs work once after it has read a webhook: between that and the change that it makes. */
function openInterrupted(work: (id: string) => Promise<unknown>): Webhooks {
  let isInterrupted = false;
  const interrupted: Catalog = {
    ...catalog,
    async webhookById(id) {
      const found = await catalog.webhookById(id);
      if (!isInterrupted) {
        isInterrupted = true;
        await work(id);
      }
      return found;
    },
  };
  return open({ catalog: interrupted });
}

test("a new folder follows what was sent while the webhook changed", async () => {
  await createUploader(catalog).add(["first"], { folder: "limit" });
  const { id: folderId } = await folderAt(catalog, "limit");
  const webhooks = open();
  const { id } = await make(webhooks);
  webhooks.sender.start();
  const changing = openInterrupted(async () => {
    const name = parseName("limit renamed");
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: folderId, name });
    const { seq } = await catalog.feedEnd();
    await eventually("the rename is sent", async () => (await stateOf(id))?.cursor.seq === seq);
  });
  await changing.change(manager, id, { folder: folderId });
  expect((await stateOf(id))?.places).toEqual([{ id: folderId, key: parseKey("limit renamed") }]);
  await createUploader(catalog).add(["second"], { folder: "limit renamed" });
  await eventually("it arrives", () => receiver.keys().includes("limit renamed/second"));
});

test("a replay keeps the folder that another request sets at the same time", async () => {
  const webhooks = open();
  const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("replayed"));
  const since = Date.now();
  const { id } = await make(webhooks);
  await put("replayed");
  const { seq } = await catalog.feedEnd();
  webhooks.sender.start();
  await eventually("it is sent", async () => (await stateOf(id))?.cursor.seq === seq);
  await webhooks.sender.stop();
  await openInterrupted(() => webhooks.change(manager, id, { folder: folderId })).replay(
    manager,
    id,
    since - 60_000,
  );
  const webhook = await stateOf(id);
  expect(webhook?.folderId).toBe(folderId);
  expect(webhook?.places.map((place) => place.id)).toEqual([folderId]);
  expect(webhook?.cursor.seq).toBeLessThan(seq);
});

test("of two rotations at once, the second keeps the secret of the first as the old one", async () => {
  const webhooks = open();
  const { id } = await make(webhooks);
  let first = "";
  const { secret } = await openInterrupted(async () => {
    first = (await webhooks.rotate(manager, id, 3600)).secret;
  }).rotate(manager, id, 3600);
  const webhook = await stateOf(id);
  if (webhook === undefined) throw new Error("There is no webhook.");
  const sealer = createSealer(() => "a secret", "test");
  expect(secretsOf(webhook, sealer, Date.now())).toEqual([secret, first]);
});

test("a change is refused if the webhook is another one at each attempt", async () => {
  const { id } = await make(open());
  const changing = open({
    catalog: {
      ...catalog,
      async webhookById(each) {
        const found = await catalog.webhookById(each);
        await catalog.changeWebhook({ id: each, name: crypto.randomUUID() });
        return found;
      },
    },
  });
  await expectFault(changing.change(manager, id, { active: false }), "unavailable");
  expect((await stateOf(id))?.state).toBe("active");
});

test("queues events of operators for webhooks of everything that want them", async () => {
  const webhooks = open();
  const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
  const all = await make(webhooks);
  await make(webhooks, { kinds: ["file.created"] });
  await make(webhooks, { folder: folderId });
  const wanted = await make(webhooks, { kinds: ["backup.failed"] });
  receiver.received.length = 0;
  await webhooks.announce("backup.failed", { path: "/backup", error: "no space" });
  await webhooks.announce("scrub.findings", { count: 1, findings: [] });
  expect((await catalog.listDeliveries(wanted.id, { limit: 9 })).map(({ state }) => state)).toEqual(
    ["queued"],
  );
  webhooks.sender.start();
  await eventually("three arrive", () => receiver.received.length === 3);
  await Bun.sleep(1200);
  expect(receiver.received.map(({ type }) => type).toSorted()).toEqual([
    ...["backup.failed", "backup.failed", "scrub.findings"],
  ]);
  expect(receiver.received.find(({ type }) => type === "backup.failed")?.data).toEqual({
    ...{ path: "/backup", error: "no space" },
  });
  const states = (await catalog.listDeliveries(all.id, { limit: 9 })).map(({ state }) => state);
  expect(states).toEqual(["delivered", "delivered"]);
});

test("is off when its maker lacks admin, or its secret cannot be read", async () => {
  for (const deps of [
    { scopeOf: () => ({ actions: new Set(["read"] as const), folderIds: [] }) },
    { scopeOf: () => undefined },
    { sealer: createSealer(() => "another secret", "test") },
  ]) {
    const { id } = await make(open());
    const webhooks = open(deps);
    await put(crypto.randomUUID());
    webhooks.sender.start();
    await eventually("it is off", async () => (await stateOf(id))?.state === "off");
    await webhooks.sender.stop();
    expect(receiver.received).toEqual([]);
    await catalog.removeWebhook(id);
  }
});

test("keeps 500 deliveries, and those of 7 days", async () => {
  const webhooks = open();
  const { id } = await make(webhooks, { active: false });
  const now = Date.now();
  for (let index = 0; index < 510; index += 1) {
    await catalog.addDelivery({
      ...{ id: Bun.randomUUIDv7("hex", now + index), webhookId: id, eventId: `e${index}` },
      ...{ kind: "file.created", key: "a", state: "delivered", tries: 1, status: 204, ms: 1 },
      ...{ error: null, response: null, data: null, at: now - index * 3_600_000 },
    });
  }
  await webhooks.prune(now);
  const left = await catalog.listDeliveries(id, { limit: 1000 });
  // The newest ids here have the oldest times.
  expect(left.map(({ eventId }) => eventId)).toEqual(
    Array.from({ length: 159 }, (_, index) => `e${168 - index}`),
  );
});
