import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { readEvents } from "./event-reader.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { newKeyData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const page = z.object({
  changes: z.array(z.looseObject({ kind: z.string(), key: z.string(), cursor: z.string() })),
  cursor: z.string(),
  more: z.boolean(),
});

const changes = async (query: Record<string, string> = {}) =>
  expectData(await a.get(`/api/changes?${new URLSearchParams(query)}`), page);

const texts = (found: z.infer<typeof page>): string[] =>
  found.changes.map(({ kind, key }) => `${kind} ${key}`);

describe("GET /api/changes", () => {
  test("without `since` has no changes, and the end of the feed", async () => {
    await a.put(`${unique("start")}/x.txt`, "x");
    const { cursor, ...rest } = await changes();
    expect(rest).toEqual({ changes: [], more: false });
    expect(await changes({ since: cursor })).toEqual({ changes: [], cursor, more: false });
  });

  test("lists changes after a cursor, with the file and who made them", async () => {
    const folder = unique("list");
    const { cursor: since } = await changes();
    const file = await a.put(`${folder}/x.txt`, "hello");
    const { changes: found, cursor, more } = await changes({ since });
    expect(found).toMatchObject([
      { kind: "folder.created", key: folder, folder: { key: folder }, file: null },
      { kind: "file.created", key: `${folder}/x.txt`, id: file.id, file, folder: null },
    ]);
    expect(found[1]).toMatchObject({
      at: file.createdAt,
      actor: { kind: "key" },
      fromKey: null,
      visibility: null,
      hasContent: false,
    });
    expect(more).toBe(false);
    expect(cursor).toBe(found[1]?.cursor ?? "");
  });

  test("lists pages", async () => {
    const folder = unique("pages");
    const { cursor: since } = await changes();
    for (const name of ["1", "2", "3"]) await a.put(`${folder}/${name}`, "x");
    const first = await changes({ since, limit: "3" });
    expect(texts(first).length).toBe(3);
    expect(first.more).toBe(true);
    const second = await changes({ since: first.cursor, limit: "3" });
    expect(texts(second)).toEqual([`file.created ${folder}/3`]);
    expect(second.more).toBe(false);
  });

  test("limits the feed to a folder by its id or key, also when it is renamed", async () => {
    const [inside, outside, later] = [unique("in"), unique("out"), unique("later")];
    const folder = await a.folder(inside);
    const { cursor: since } = await changes();
    await a.put(`${inside}/x`, "x");
    const y = await a.put(`${outside}/y`, "y");
    await a.json("PUT", "/api/folders", { id: folder.id, name: later });
    await a.json("PUT", "/api/files", { id: y.id, folderId: folder.id });
    await a.json("PUT", "/api/files", { id: y.id, folderId: y.folderId });
    const wanted = [
      `file.created ${inside}/x`,
      `folder.moved ${later}`,
      `file.created ${later}/y`,
      `file.deleted ${later}/y`,
    ];
    expect(texts(await changes({ since, folder: later }))).toEqual(wanted);
    expect(texts(await changes({ since, folder: folder.id }))).toEqual(wanted);
    expect(JSON.stringify(await changes({ since, folder: folder.id }))).not.toContain(outside);
  });

  test("rejects unknown folders, malformed cursors and limits", async () => {
    expectFault(await a.get("/api/changes?folder=nothing"), 404);
    expectFault(await a.get("/api/changes?since=nonsense"), 400, /`cursor` of this operation/);
    expectFault(await a.get("/api/changes?limit=0"), 400);
    expectFault(await send(server, "GET", "/api/changes"), 401);
  });

  test("rejects a cursor of another feed with 410", async () => {
    const other = await startServer(administrator);
    try {
      await api(other).put("x", "x");
      const { cursor } = expectData(await api(other).get("/api/changes"), page);
      expectFault(await a.get(`/api/changes?since=${cursor}`), 410, /List the files/);
      const stream = await readEvents(server, `?since=${cursor}`);
      expect(stream.response.status).toBe(410);
    } finally {
      await other.discard();
    }
  });
});

describe("the event stream", () => {
  test("sends changes as they happen, from the end of the feed", async () => {
    const folder = unique("stream");
    const stream = await readEvents(server);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const file = await a.put(`${folder}/x`, "x");
    expect(await stream.next()).toMatchObject({ kind: "folder.created", key: folder });
    expect(await stream.next()).toMatchObject({ kind: "file.created", file });
    stream.close();
  });

  test("continues after the last event that the client has seen", async () => {
    const folder = unique("resume");
    const first = await readEvents(server);
    await a.put(`${folder}/1`, "x");
    await first.next();
    await first.next();
    const id = first.lastId();
    first.close();
    await a.put(`${folder}/2`, "x");
    await a.put(`${folder}/3`, "x");
    const { cursor: later } = await changes();
    const second = await readEvents(server, `?since=${later}`, { "Last-Event-ID": id });
    expect((await second.next()).key).toBe(`${folder}/2`);
    expect((await second.next()).key).toBe(`${folder}/3`);
    second.close();
  });

  test("sends comments, with the cursor, while a client sees no changes", async () => {
    const inside = await a.folder(unique("inside"));
    const key = await createKey({ folder: inside.key, actions: ["list"] });
    const stream = await readEvents(key);
    const { cursor: before } = await changes();
    await a.folder(unique("outside"));
    const { cursor: after } = await changes();
    await eventually("there is a comment", async () => stream.comments() > 0);
    expect(after).not.toBe(before);
    // The key for everything reads the cursors of limited keys, too.
    expect(await changes({ since: stream.lastId() ?? "" })).toEqual({
      changes: [],
      cursor: after,
      more: false,
    });
    stream.close();
  });

  test("ends when its API key is revoked", async () => {
    const created = await a.json("POST", "/api/keys", { name: unique("key") });
    const { key, secret } = expectData(
      created,
      z.looseObject({ key: z.looseObject({ id: z.string() }), secret: z.string() }),
    );
    const stream = await readEvents({ url: server.url, apiKey: secret });
    await a.json("DELETE", "/api/keys", { id: key.id });
    await stream.ended();
  });

  async function createKey(rights: object = {}) {
    const created = await a.json("POST", "/api/keys", { name: unique("key"), ...rights });
    const { key, secret } = expectData(created, newKeyData);
    return { id: key.id, url: server.url, apiKey: secret };
  }

  test("sends nothing that happens after its API key is revoked", async () => {
    const key = await createKey();
    const stream = await readEvents(key);
    const { key: seen } = await a.folder(unique("before"));
    expect((await stream.next()).key).toBe(seen);
    await a.json("DELETE", "/api/keys", { id: key.id });
    await a.folder(unique("after"));
    await stream.ended();
    await expect(stream.next()).rejects.toThrow("The stream has ended.");
  });

  test("sends nothing that happens after its API key has expired", async () => {
    // Long enough for the request to begin on a busy machine.
    const key = await createKey({ expiresIn: 4 });
    const stream = await readEvents(key);
    await eventually(
      "the key has expired",
      async () => (await send(key, "GET", "/api/files", { "API-Key": key.apiKey })).status === 401,
    );
    await a.folder(unique("after"));
    await stream.ended();
    await expect(stream.next()).rejects.toThrow("The stream has ended.");
  });

  test("responds to HEAD without a stream", async () => {
    const headers = { "API-Key": server.apiKey, Accept: "text/event-stream" };
    const { status, text } = await send(server, "HEAD", "/api/changes", headers);
    expect({ status, text }).toEqual({ status: 200, text: "" });
  });

  test("ends when the server stops", async () => {
    const own = await startServer(administrator);
    const stream = await readEvents(own);
    const code = await own.stop();
    await stream.ended();
    expect(code).toBe(0);
    await own.discard();
  });
});

describe("a key that is limited to a folder", () => {
  async function limitedKey(folder: string, actions: readonly string[] = ["list"]) {
    const created = await a.json("POST", "/api/keys", { name: unique("key"), folder, actions });
    const shape = z.looseObject({ secret: z.string() });
    return { url: server.url, apiKey: expectData(created, shape).secret };
  }

  test("gets the changes in its folder, and no names of others", async () => {
    const [inside, outside, later] = [unique("limited"), unique("outside"), unique("renamed")];
    const { id } = await a.folder(inside);
    await a.folder(outside);
    const limited = await limitedKey(inside);
    const stream = await readEvents(limited);
    const { cursor: since } = expectData(await api(limited).get("/api/changes"), page);
    await a.put(`${outside}/x`, "x");
    await a.put(`${inside}/y`, "y");
    await a.json("PUT", "/api/folders", { id, name: later });
    const found = expectData(await api(limited).get(`/api/changes?since=${since}`), page);
    expect(texts(found)).toEqual([`file.created ${inside}/y`, `folder.moved ${later}`]);
    expect(found.changes[0]?.actor).toEqual({ kind: "key", id: null, name: null });
    expect((await stream.next()).key).toBe(`${inside}/y`);
    expect((await stream.next()).key).toBe(later);
    stream.close();
    const ofOutside = await api(limited).get(`/api/changes?since=${since}&folder=${outside}`);
    const ofNothing = await api(limited).get(`/api/changes?since=${since}&folder=nothing`);
    expectFault(ofOutside, 404);
    expect(ofOutside.text).toBe(ofNothing.text);
  });

  test("learns nothing from its cursors about changes elsewhere", async () => {
    const [inside, outside] = [unique("limited"), unique("outside")];
    await a.folder(inside);
    const limited = await limitedKey(inside);
    const read = async (since: string) =>
      expectData(await api(limited).get(`/api/changes?since=${since}`), page);
    const { cursor: first } = expectData(await api(limited).get("/api/changes"), page);
    const { cursor: same } = await read(first);
    await a.folder(outside);
    const { cursor: later } = await read(same);
    // Two for one position differ as much as those for two.
    expect(new Set([first, same, later]).size).toBe(3);
    expect(new Set([first, same, later].map((each) => each.length)).size).toBe(1);
    const { cursor: open } = await changes();
    for (const cursor of [first, same, later]) {
      expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toMatch(/^\[/);
    }
    expectFault(await api(limited).get(`/api/changes?since=${open}`), 410, /List the files/);
    expectFault(await api(limited).get(`/api/changes?since=${later.slice(0, -2)}AA`), 400);
    await a.put(`${inside}/y`, "y");
    for (const cursor of [first, same, later]) {
      expect(texts(await read(cursor))).toEqual([`file.created ${inside}/y`]);
    }
  });

  test("with `admin` gets no names of others either; a key for all folders gets them", async () => {
    const folder = unique("admin");
    await a.folder(folder);
    const limited = await limitedKey(folder, ["admin"]);
    const { cursor: since } = expectData(await api(limited).get("/api/changes"), page);
    const body = { folder: `${folder}/new` };
    await fromPage(server, "POST", "/api/folders", await signIn(server), body);
    const stream = await readEvents(limited, `?since=${since}`);
    const found = await api(limited).get(`/api/changes?since=${since}`);
    const unnamed = { kind: "account", id: null, name: null };
    expect(expectData(found, page).changes).toMatchObject([{ actor: unnamed }]);
    expect((await stream.next()).actor).toMatchObject(unnamed);
    stream.close();
    const named = { kind: "account", name: administrator.ADMIN_EMAIL };
    expect((await changes({ since })).changes).toMatchObject([{ actor: named }]);
  });

  test("gets its own folder without a parent, and folders inside with theirs", async () => {
    const outer = await a.folder(unique("outer"));
    const own = await a.folder(`${outer.key}/own`);
    const limited = await limitedKey(own.key);
    const { cursor: since } = expectData(await api(limited).get("/api/changes"), page);
    await a.json("PUT", "/api/folders", { id: own.id, name: "renamed" });
    await a.folder(`${outer.key}/renamed/inside`);
    const found = await api(limited).get(`/api/changes?since=${since}`);
    expect(found.text).not.toContain(outer.id);
    expect(expectData(found, page).changes).toMatchObject([
      { id: own.id, folder: { id: own.id, parentId: null } },
      { kind: "folder.created", folder: { parentId: own.id } },
    ]);
    expect((await changes({ since })).changes[0]).toMatchObject({ folder: { parentId: outer.id } });
  });

  test("sees who made its own changes", async () => {
    const folder = unique("own");
    await a.folder(folder);
    const limited = await limitedKey(folder, ["list", "write"]);
    const { cursor: since } = expectData(await api(limited).get("/api/changes"), page);
    await api(limited).put(`${folder}/x`, "x");
    const { changes: found } = expectData(
      await api(limited).get(`/api/changes?since=${since}`),
      page,
    );
    expect(found[0]?.actor).toEqual({
      kind: "key",
      id: expect.any(String),
      name: expect.any(String),
    });
  });

  test("needs the action list", async () => {
    const folder = unique("write-only");
    await a.folder(folder);
    const limited = await limitedKey(folder, ["write"]);
    expectFault(await api(limited).get("/api/changes"), 403, /`list`/);
  });
});

test.skipIf(process.env.HOLDALL_TEST_CATALOG === "postgres")(
  "an older copy of the catalog refuses cursors of what it lacks, and no others",
  async () => {
    const own = await startServer(administrator);
    try {
      const b = api(own);
      const catalog = join(own.dataPath, "catalog.sqlite");
      const end = async () => expectData(await b.get("/api/changes"), page).cursor;
      await b.folder("before");
      const before = await end();
      await own.stop();
      cpSync(catalog, `${catalog}.copy`);
      await own.restart();
      await api(own).folder("lost");
      const lost = expectData(await api(own).get("/api/changes"), page).cursor;
      await own.stop();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(catalog + suffix, { force: true });
      cpSync(`${catalog}.copy`, catalog);
      await own.restart();
      await api(own).folder("new");
      expectFault(await api(own).get(`/api/changes?since=${lost}`), 410);
      const found = expectData(await api(own).get(`/api/changes?since=${before}`), page);
      expect(texts(found)).toEqual(["folder.created new"]);
    } finally {
      await own.discard();
    }
  },
);
