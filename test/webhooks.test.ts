import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { newKeyData } from "./shapes.ts";
import { type Received, type Receiver, startReceiver } from "./webhook-receiver.ts";

const stamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const webhookShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  kinds: z.array(z.string()),
  folder: z.strictObject({ id: z.string(), key: z.string().nullable() }).nullable(),
  state: z.enum(["active", "paused", "off"]),
  reason: z.string().nullable(),
  createdAt: stamp,
  failedAttempts: z.int(),
  nextAttemptAt: stamp.nullable(),
  oldSecretExpiresAt: stamp.nullable(),
});
const webhookData = z.strictObject({ webhook: webhookShape });
const madeData = z.strictObject({ webhook: webhookShape, secret: z.string() });
const webhooksData = z.strictObject({ webhooks: z.array(webhookShape) });
const deliveryShape = z.strictObject({
  id: z.string(),
  eventId: z.string(),
  kind: z.string(),
  key: z.string().nullable(),
  state: z.enum(["queued", "failed", "delivered"]),
  attempts: z.int(),
  status: z.int().nullable(),
  milliseconds: z.int().nullable(),
  error: z.string().nullable(),
  response: z.string().nullable(),
  at: stamp,
});
const deliveriesData = z.strictObject({
  deliveries: z.array(deliveryShape),
  nextCursor: z.string().nullable(),
});
const testData = z.strictObject({ delivery: deliveryShape });

let server: TestServer;
let receiver: Receiver;
const receivers: Receiver[] = [];

async function newReceiver(): Promise<Receiver> {
  const made = await startReceiver();
  receivers.push(made);
  return made;
}

beforeAll(async () => {
  server = await startServer({ ...administrator, OUTGOING_ALLOW: "127.0.0.1" });
  receiver = await newReceiver();
});
afterAll(async () => {
  await server.discard();
  for (const each of receivers) each.close();
});

const as = (apiKey: string) => api({ url: server.url, apiKey });

/** Webhooks of other tests would only make noise. */
afterEach(async () => {
  for (const { id } of await listed()) await api(server).json("DELETE", "/api/webhooks", { id });
});

async function listed(apiKey = server.apiKey) {
  return expectData(await as(apiKey).get("/api/webhooks"), webhooksData).webhooks;
}

async function make(wanted: object = {}, apiKey = server.apiKey) {
  const body = { name: unique("hook"), url: receiver.url, ...wanted };
  const answer = await as(apiKey).json("POST", "/api/webhooks", body);
  receiver.received.length = 0;
  return expectData(answer, madeData);
}

const change = async (body: object) =>
  expectData(await api(server).json("PUT", "/api/webhooks", body), webhookData).webhook;

const stateOf = async (id: string) => (await listed()).find((each) => each.id === id);

async function deliveriesOf(id: string, query = "") {
  const answer = await api(server).get(`/api/webhooks/deliveries?id=${id}${query}`);
  return expectData(answer, deliveriesData);
}

const arrive = (count: number, at = receiver): Promise<void> =>
  eventually(`${count} deliveries`, () => at.received.length >= count);

async function newKey(
  folder: string,
  actions = ["admin", "keys"],
): Promise<{ id: string; secret: string }> {
  const answer = await api(server).json("POST", "/api/keys", {
    name: unique("key"),
    folder,
    actions,
  });
  const { key, secret } = expectData(answer, newKeyData);
  return { id: key.id, secret };
}

function verifyAll({ body, headers }: Received, secret: string): void {
  expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(new SvixWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
}

describe("a webhook", () => {
  test("sends each change with a signature that the common libraries verify", async () => {
    const { webhook, secret } = await make();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(webhook).toMatchObject({ state: "active", kinds: [], folder: null, failedAttempts: 0 });
    const start = JSON.parse((await api(server).get("/api/changes")).text).data.cursor;
    const folder = unique("signed");
    const file = await api(server).put(`${folder}/a.txt`, "hello");
    await api(server).json("DELETE", "/api/files", { id: file.id });
    await arrive(3);
    expect(receiver.received.map(({ type, key }) => [type, key])).toEqual([
      ["folder.created", folder],
      ["file.created", `${folder}/a.txt`],
      ["file.deleted", `${folder}/a.txt`],
    ]);
    for (const each of receiver.received) {
      verifyAll(each, secret);
      expect(each.headers["content-type"]).toBe("application/json");
      expect(each.headers["user-agent"]).toMatch(/^Holdall\//);
      expect(Object.keys(JSON.parse(each.body))).toEqual(["type", "timestamp", "data"]);
    }
    const feed = await api(server).get(`/api/changes?since=${start}`);
    expect(receiver.received.map(({ data }) => data)).toEqual(JSON.parse(feed.text).data.changes);
    expect(JSON.stringify(await listed())).not.toContain("whsec_");
    const { deliveries } = await deliveriesOf(webhook.id);
    expect(
      deliveries.map(({ kind, state, status, attempts }) => [kind, state, status, attempts]),
    ).toEqual([
      ["file.deleted", "delivered", 204, 1],
      ["file.created", "delivered", 204, 1],
      ["folder.created", "delivered", 204, 1],
    ]);
    const first = await deliveriesOf(webhook.id, "&limit=2");
    const second = await deliveriesOf(webhook.id, `&limit=2&cursor=${first.nextCursor}`);
    expect([...first.deliveries, ...second.deliveries]).toEqual(deliveries);
    expect(second.nextCursor).toBeNull();
  });

  test("keeps the order of changes while its receiver fails, and tries again", async () => {
    const { webhook } = await make({ kinds: ["file.created"] });
    const folder = unique("order");
    let failures = 2;
    receiver.answer = (_delivery, response) => {
      failures -= 1;
      response.writeHead(failures >= 0 ? 500 : 200, { "retry-after": "1" }).end("oh\0no");
    };
    for (const name of ["a", "b", "c"]) await api(server).put(`${folder}/${name}`, name);
    await arrive(1);
    await eventually(
      "a failed attempt",
      async () => (await stateOf(webhook.id))?.failedAttempts === 1,
    );
    expect((await stateOf(webhook.id))?.nextAttemptAt).toMatch(/^\d/);
    const [failed] = (await deliveriesOf(webhook.id)).deliveries;
    expect(failed).toMatchObject({
      ...{ key: `${folder}/a`, state: "failed", status: 500, attempts: 1 },
      error: "The receiver answered 500.",
      // Only sessions see it.
      response: null,
    });
    const cookie = await signIn(server);
    const path = `/api/webhooks/deliveries?id=${webhook.id}`;
    expect((await fromPage(server, "GET", path, cookie)).text).toContain(
      '"response":"oh\u{FFFD}no"',
    );
    // Turning it on again tries at once.
    await change({ id: webhook.id, active: true });
    await arrive(2);
    await eventually(
      "another failure",
      async () => (await stateOf(webhook.id))?.failedAttempts === 1,
    );
    await change({ id: webhook.id, active: true });
    await arrive(5);
    expect(receiver.keys()).toEqual(["a", "a", "a", "b", "c"].map((name) => `${folder}/${name}`));
    expect(new Set(receiver.received.slice(0, 3).map(({ id }) => id)).size).toBe(1);
    await eventually("no failures", async () => (await stateOf(webhook.id))?.failedAttempts === 0);
  });

  test("tries again by itself", async () => {
    await make({ kinds: ["file.created"] });
    const folder = unique("again");
    receiver.answer = (_delivery, response) => {
      response.writeHead(receiver.received.length === 1 ? 503 : 204).end();
    };
    await api(server).put(`${folder}/a`, "a");
    await arrive(2);
    expect(receiver.keys()).toEqual([`${folder}/a`, `${folder}/a`]);
  });

  test("is off after 410, and a redirect is a failure", async () => {
    const { webhook } = await make({ kinds: ["file.created"] });
    receiver.answer = (_delivery, response) => {
      response.writeHead(302, { location: receiver.url }).end();
    };
    await api(server).put(`${unique("gone")}/a`, "a");
    await eventually("a failure", async () => (await stateOf(webhook.id))?.failedAttempts === 1);
    expect(receiver.received).toHaveLength(1);
    const [redirected] = (await deliveriesOf(webhook.id)).deliveries;
    expect(redirected).toMatchObject({ status: 302, state: "failed" });
    receiver.answer = (_delivery, response) => void response.writeHead(410).end();
    await change({ id: webhook.id, active: true });
    await eventually("it is off", async () => (await stateOf(webhook.id))?.state === "off");
    expect((await stateOf(webhook.id))?.reason).toContain("410");
    receiver.answer = (_delivery, response) => void response.writeHead(204).end();
    expect(await change({ id: webhook.id, active: true })).toMatchObject({
      ...{ state: "active", reason: null, failedAttempts: 0 },
    });
    await arrive(3);
  });

  test("is not held up by receivers that hang or answer with a gigabyte", async () => {
    const slow = await newReceiver();
    const endless = await newReceiver();
    slow.answer = () => {};
    let sent = 0;
    endless.answer = (_delivery, response) => {
      const block = Buffer.alloc(64 * 1024);
      response.writeHead(200);
      const go = () => {
        while (sent < 1e9 && response.write(block)) sent += block.length;
        response.once("drain", go);
      };
      go();
    };
    const kinds = ["file.created"];
    const { webhook: hanging } = await make({ url: slow.url, kinds });
    await make({ url: endless.url, kinds });
    await make({ kinds });
    receiver.answer = (_delivery, response) => void response.writeHead(204).end();
    const folder = unique("slow");
    const begin = performance.now();
    for (const name of ["a", "b", "c"]) await api(server).put(`${folder}/${name}`, name);
    await arrive(3);
    await arrive(3, endless);
    expect(performance.now() - begin).toBeLessThan(8000);
    expect(sent).toBeLessThan(300e6);
    await eventually(
      "it has failed",
      async () => (await stateOf(hanging.id))?.failedAttempts === 1,
    );
    expect(slow.received).toHaveLength(1);
    const [late] = (await deliveriesOf(hanging.id)).deliveries;
    expect(late).toMatchObject({
      status: null,
      state: "failed",
      error: "The response took too long.",
    });
  });

  test("signs with both secrets while they are rotated", async () => {
    const { webhook, secret } = await make({ kinds: ["file.created"] });
    const rotate = async (body: object = {}) =>
      expectData(
        await api(server).json("POST", "/api/webhooks/rotate", { id: webhook.id, ...body }),
        madeData,
      );
    const second = await rotate();
    expect(second.webhook.oldSecretExpiresAt).toMatch(/^\d/);
    await api(server).put(`${unique("rotate")}/a`, "a");
    await arrive(1);
    const [both] = receiver.received;
    if (both === undefined) throw new Error("Nothing arrived.");
    verifyAll(both, secret);
    verifyAll(both, second.secret);
    const third = await rotate({ oldSecretExpiresIn: 0 });
    expect(third.webhook.oldSecretExpiresAt).toBeNull();
    await api(server).put(`${unique("rotate")}/a`, "a");
    await arrive(2);
    const [, one] = receiver.received;
    if (one === undefined) throw new Error("Nothing arrived.");
    verifyAll(one, third.secret);
    expect(() => verifyAll(one, second.secret)).toThrow();
  });

  test("has each of its kinds once, however often they are given", async () => {
    const many = Array.from({ length: 3000 }, () => "file.created");
    const { webhook } = await make({ kinds: [...many, "file.deleted"], active: false });
    expect(webhook.kinds).toEqual(["file.created", "file.deleted"]);
    expect((await change({ id: webhook.id, kinds: many })).kinds).toEqual(["file.created"]);
    expect((await change({ id: webhook.id, active: false })).kinds).toEqual(["file.created"]);
  });

  test("sends a test event at once, and says what the receiver answers", async () => {
    const { webhook, secret } = await make({ active: false });
    const send = async () =>
      expectData(await api(server).json("POST", "/api/webhooks/test", { id: webhook.id }), testData)
        .delivery;
    expect(await send()).toMatchObject({ kind: "webhook.test", state: "delivered", status: 204 });
    const [only] = receiver.received;
    if (only === undefined) throw new Error("Nothing arrived.");
    verifyAll(only, secret);
    expect(only.type).toBe("webhook.test");
    await change({ id: webhook.id, url: "http://127.0.0.1:9/" });
    expect(await send()).toMatchObject({ state: "failed", status: null });
    await change({ id: webhook.id, url: "http://192.168.0.1/" });
    expect(await send()).toMatchObject({ state: "failed", status: null });
    expect((await send()).error).toContain("OUTGOING_ALLOW");
    expect((await deliveriesOf(webhook.id)).deliveries).toHaveLength(4);
  });

  test("sends what happened while it was paused, and replays", async () => {
    const { webhook } = await make({ kinds: ["file.created"], active: false });
    const folder = unique("replay");
    const since = new Date(Date.now() - 1000).toISOString();
    for (const name of ["a", "b"]) await api(server).put(`${folder}/${name}`, name);
    await Bun.sleep(1200);
    expect(receiver.received).toEqual([]);
    await change({ id: webhook.id, active: true });
    await arrive(2);
    const before = receiver.received.map(({ id }) => id);
    receiver.received.length = 0;
    const body = { id: webhook.id, since };
    expectData(await api(server).json("POST", "/api/webhooks/replay", body), webhookData);
    await eventually("all again", () => receiver.keys().includes(`${folder}/b`));
    const again = receiver.received.filter(({ key }) => key.startsWith(folder));
    expect(again.map(({ id }) => id)).toEqual(before);
  });

  test("leaves out nothing that waits, from whenever it replays", async () => {
    const { webhook } = await make({ kinds: ["file.created"], active: false });
    const folder = unique("waiting");
    await api(server).put(`${folder}/a`, "a");
    await Bun.sleep(1200);
    for (const since of [new Date().toISOString(), "2100-01-01T00:00:00Z"]) {
      const body = { id: webhook.id, since };
      expectData(await api(server).json("POST", "/api/webhooks/replay", body), webhookData);
    }
    await api(server).put(`${folder}/b`, "b");
    await change({ id: webhook.id, active: true });
    await arrive(2);
    expect(receiver.keys()).toEqual([`${folder}/a`, `${folder}/b`]);
  });

  test("of a folder sends only changes in it, also after it was moved and deleted", async () => {
    const folder = unique("one");
    const { id } = await api(server).folder(folder);
    const { webhook } = await make({ folder });
    expect(webhook.folder).toEqual({ id, key: folder });
    await api(server).put(`${unique("other")}/x`, "x");
    await api(server).put(`${folder}/a`, "a");
    const moved = unique("moved");
    await api(server).json("PUT", "/api/folders", { id, name: moved });
    await api(server).put(`${moved}/b`, "b");
    await api(server).json("DELETE", "/api/folders", { id });
    await api(server).put(`${unique("other")}/y`, "y");
    await arrive(4);
    await Bun.sleep(700);
    expect(receiver.received.map(({ type, key }) => [type, key])).toEqual([
      ["file.created", `${folder}/a`],
      ["folder.moved", moved],
      ["file.created", `${moved}/b`],
      ["folder.deleted", moved],
    ]);
    expect((await stateOf(webhook.id))?.folder).toEqual({ id, key: null });
  });

  test("stays below 20 KB with the longest keys", async () => {
    const { webhook } = await make({ kinds: ["file.moved"] });
    const deep = Array.from({ length: 15 }, () => '"'.repeat(255)).join("/");
    const file = await api(server).put(`${deep}/${'"'.repeat(200)}`, "x");
    await api(server).json("PUT", "/api/files", { id: file.id, name: "'".repeat(200) });
    await arrive(1);
    const [{ body, data, key } = { body: "", data: {}, key: "" }] = receiver.received;
    expect(Buffer.byteLength(body)).toBeLessThan(20 * 1024);
    expect(data).toMatchObject({ isShortened: true, file: null, id: file.id });
    expect(key).toBe(`${deep}/${"'".repeat(200)}`);
    expect((await stateOf(webhook.id))?.state).toBe("active");
  });
});

describe("API keys and webhooks", () => {
  test("with a folder see their own webhooks, which send only what is in it", async () => {
    const folder = unique("scope");
    await api(server).folder(folder);
    const { webhook: general } = await make({ active: false });
    const key = await newKey(folder);
    const { webhook } = await make({ kinds: ["file.created"] }, key.secret);
    expect((await listed(key.secret)).map(({ id }) => id)).toEqual([webhook.id]);
    expect((await listed()).map(({ id }) => id)).toEqual([general.id, webhook.id]);
    for (const [method, path, more] of [
      ["PUT", "/api/webhooks", { active: true }],
      ["DELETE", "/api/webhooks", {}],
      ["POST", "/api/webhooks/test", {}],
      ["POST", "/api/webhooks/rotate", {}],
      ["POST", "/api/webhooks/replay", { since: "2026-01-01" }],
    ] as const) {
      expectFault(await as(key.secret).json(method, path, { id: general.id, ...more }), 404);
    }
    expectFault(await as(key.secret).get(`/api/webhooks/deliveries?id=${general.id}`), 404);
    const instance = { name: "x", url: receiver.url, kinds: ["backup.failed"] };
    expectFault(await as(key.secret).json("POST", "/api/webhooks", instance), 403);
    const elsewhere = { name: "x", url: receiver.url, folder: unique("outside") };
    await api(server).folder(elsewhere.folder);
    expectFault(await as(key.secret).json("POST", "/api/webhooks", elsewhere), 404);
    receiver.received.length = 0;
    await api(server).put(`${elsewhere.folder}/secret`, "s");
    await api(server).put(`${folder}/a`, "a");
    await arrive(1);
    await Bun.sleep(700);
    expect(receiver.keys()).toEqual([`${folder}/a`]);
    // Who made the change, and how much else has changed, is not theirs to know.
    expect(receiver.received[0]?.data).toMatchObject({
      actor: { kind: "key", id: null, name: null },
    });
    const { cursor } = receiver.received[0]?.data ?? {};
    expect(Buffer.from(String(cursor), "base64url").toString()).not.toContain("changes");
    // The cursor is one of the key's feed.
    const page = await as(key.secret).get(`/api/changes?since=${cursor}`);
    expect(page.status).toBe(200);
  });

  test("end their webhooks when they are revoked", async () => {
    const folder = unique("revoked");
    await api(server).folder(folder);
    const key = await newKey(folder);
    const { webhook } = await make({}, key.secret);
    await api(server).json("DELETE", "/api/keys", { id: key.id });
    await api(server).put(`${folder}/a`, "a");
    await eventually("it is off", async () => (await stateOf(webhook.id))?.state === "off");
    expect(receiver.received).toEqual([]);
  });

  test("need admin", async () => {
    const body = {
      name: unique("key"),
      actions: ["list", "read", "write", "delete", "share", "keys"],
    };
    const { secret } = expectData(await api(server).json("POST", "/api/keys", body), newKeyData);
    expectFault(await as(secret).get("/api/webhooks"), 403);
    const made = { name: "x", url: receiver.url };
    expectFault(await as(secret).json("POST", "/api/webhooks", made), 403);
    expectFault(await send(server, "GET", "/api/webhooks"), 401);
  });
});

test.each<[object, RegExp]>([
  [{ url: "ftp://a.test/" }, /http/],
  [{ url: "not a url" }, /http/],
  [{ url: "http://user:secret@a.test/" }, /user name/],
  [{ url: `http://a.test/${"x".repeat(2048)}` }, /2048/],
  [{ name: " " }, /name/],
  [{ name: "x".repeat(101) }, /name/],
  [{ kinds: ["file.read"] }, /file\.created/],
  [{ kinds: "file.created" }, /list/],
  [{ folder: "" }, /empty/],
  [{ folder: "a", folderId: "b" }, /not both/],
  [{ active: "yes" }, /true or false/],
  [{ secret: "x" }, /secret/],
])("a webhook with %p is refused", async (wanted, message) => {
  const body = { name: "x", url: receiver.url, ...wanted };
  expectFault(await api(server).json("POST", "/api/webhooks", body), 400, message);
});
