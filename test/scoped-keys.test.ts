import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, cookieOf, fromPage } from "./session.ts";
import {
  browseData,
  deletedData,
  folderData,
  keyData,
  keysData,
  newKeyData,
  s3CredentialsData,
  signedData,
} from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const entries = z.object({
  activity: z.array(z.object({ action: z.string(), status: z.number() })),
});

interface Wanted {
  readonly [field: string]: unknown;
}

/** Requests with an API key of its own. */
function withKey(secret: string) {
  const json = (method: string, path: string, body: unknown) => {
    const headers: HeaderPairs = { "API-Key": secret, "Content-Type": "application/json" };
    return send(server, method, path, headers, JSON.stringify(body));
  };
  return {
    json,
    get: (path: string) => send(server, "GET", path, { "API-Key": secret }),
    create: (body: Wanted) => json("POST", "/api/keys", { name: unique("child"), ...body }),
  };
}

async function create(body: Wanted) {
  const made = await a.json("POST", "/api/keys", { name: unique("key"), ...body });
  const { key, secret } = expectData(made, newKeyData);
  return { key, secret, ...withKey(secret) };
}

async function createChild(
  parent: { create: (body: Wanted) => ReturnType<typeof send> },
  body: Wanted,
) {
  const { key, secret } = expectData(await parent.create(body), newKeyData);
  return { key, secret, ...withKey(secret) };
}

async function newFolder(path = unique("scope")) {
  const made = await a.json("POST", "/api/folders", { folder: path });
  const { id, key } = expectData(made, folderData).folder;
  return { id, key };
}

const rootId = async () => expectData(await a.get("/api/folders"), browseData).folder.id;

describe("creating a key", () => {
  test("without actions gives it all but `keys` and `admin`", async () => {
    const { key } = await create({});
    const actions = ["list", "read", "write", "delete", "share"];
    expect(key).toMatchObject({ actions, folder: null, parentId: null });
  });

  test("with expiresAt makes it expire then; null means never", async () => {
    const { key } = await create({ expiresAt: "2080-01-31T09:30:00+01:00" });
    expect(key.expiresAt).toBe("2080-01-31 08:30:00");
    expect((await create({ expiresAt: null })).key.expiresAt).toBeNull();
  });

  test("with actions and a folder, by its key or id, shows them everywhere", async () => {
    const folder = await newFolder();
    const { key } = await create({ actions: ["read", "list"], folder: `/${folder.key}/` });
    expect(key).toMatchObject({ actions: ["list", "read"], folder, parentId: null });
    const byId = await create({ actions: ["read"], folderId: folder.id });
    expect(byId.key.folder).toEqual(folder);
    const { keys } = expectData(await a.get("/api/keys"), keysData);
    expect(keys.find(({ id }) => id === key.id)).toEqual(key);
    const renamed = await a.json("PUT", "/api/keys", { id: key.id, name: "other" });
    expect(expectData(renamed, keyData).key).toEqual({ ...key, name: "other" });
  });

  test("for the id of the root is for all folders", async () => {
    expect((await create({ folderId: await rootId() })).key.folder).toBeNull();
  });

  test("follows its folder, until the folder is deleted", async () => {
    const folder = await newFolder();
    const { key } = await create({ folderId: folder.id });
    const name = unique("renamed");
    await a.json("PUT", "/api/folders", { id: folder.id, name });
    await newFolder(folder.key);
    const shown = async () =>
      expectData(await a.get("/api/keys"), keysData).keys.find(({ id }) => id === key.id)?.folder;
    expect(await shown()).toEqual({ id: folder.id, key: name });
    await a.json("DELETE", "/api/folders", { id: folder.id });
    expect(await shown()).toEqual({ id: folder.id, key: null });
  });

  const cases: readonly (readonly [Wanted, number, RegExp])[] = [
    [{ actions: [] }, 400, /actions.*at least one of/],
    [{ actions: ["fly"] }, 400, /actions.*must be one of/],
    [{ actions: "read" }, 400, /actions.*a list of actions/],
    [{ actions: ["read", 5] }, 400, /actions/],
    [{ folder: "a", folderId: "b" }, 400, /either `folder` or `folderId`/],
    [{ folder: 5 }, 400, /folder/],
    [{ folder: "../x" }, 400, /name/],
    [{ folder: "" }, 400, /`folder` is empty.*leave it out/],
    [{ folder: "/" }, 400, /`folder` is empty.*leave it out/],
    [{ folder: "nowhere" }, 404, /No such folder/],
    [{ folderId: "nowhere" }, 404, /No such folder/],
    [{ permissions: ["read"] }, 400, /`permissions` is not a field.*`name`, `actions`, `folderId`/],
    [{ Actions: ["read"] }, 400, /`Actions` is not a field/],
    [{ expires_in: 60 }, 400, /`expires_in` is not a field.*`expiresIn`/],
    [{ expiresAt: "2020-01-31T09:30:00Z" }, 400, /`expiresAt` must be in the future/],
    [{ expiresAt: "tomorrow" }, 400, /`expiresAt` must be a time/],
    [{ expiresAt: "2080-01-31", expiresIn: 60 }, 400, /either `expiresAt` or `expiresIn`/],
  ];
  test.each(cases)("with %j is %d", async (body, status, message) => {
    // Not `lastUsedAt`, which the requests of this test change.
    const ids = async () => expectData(await a.get("/api/keys"), keysData).keys.map(({ id }) => id);
    const before = await ids();
    const answer = await a.json("POST", "/api/keys", { name: "bad", ...body });
    expectFault(answer, status, message);
    expect(await ids()).toEqual(before);
  });
});

describe("a key with `keys`", () => {
  test("creates keys with its own rights or fewer", async () => {
    const folder = await newFolder();
    const inside = await newFolder(`${folder.key}/inside`);
    const rights = { actions: ["read", "keys"], folderId: folder.id, expiresIn: 600 };
    const parent = await create(rights);
    const same = await createChild(parent, { actions: parent.key.actions });
    const { actions, expiresAt } = parent.key;
    expect(same.key).toMatchObject({ actions, folder, expiresAt, parentId: parent.key.id });
    const { key } = await createChild(parent, {});
    expect(key).toMatchObject({ actions: ["read"], folder, expiresAt });
    const fewer = { actions: ["read"], folder: inside.key, expiresIn: 60 };
    const child = await createChild(parent, fewer);
    expect(child.key).toMatchObject({ actions: ["read"], folder: inside });
    expect(`${child.key.expiresAt}` < `${expiresAt}`).toBe(true);
  });

  test("cannot widen itself or its children", async () => {
    const folder = await newFolder();
    const sibling = await newFolder(`${folder.key}b`);
    const rights = { actions: ["read", "keys"], folderId: folder.id, expiresIn: 600 };
    const parent = await create(rights);
    const refused: readonly (readonly [Wanted, number, RegExp])[] = [
      [{ actions: ["read", "write"] }, 403, /rights that it lacks: `write`/],
      [{ actions: ["admin"] }, 403, /lacks: `admin`/],
      [{ expiresIn: 601 + 60 }, 403, /may not create a key that is valid longer/],
      [{ expiresIn: null }, 403, /may not create a key that is valid longer/],
      [{ expiresAt: "2080-01-31" }, 403, /may not create a key that is valid longer/],
    ];
    for (const [body, status, message] of refused) {
      expectFault(await parent.create(body), status, message);
    }
    const missing = await parent.create({ folder: "nowhere" });
    expectFault(missing, 404);
    for (const body of [
      { folderId: await rootId() },
      { folder: sibling.key },
      { folderId: sibling.id },
    ]) {
      const outside = await parent.create(body);
      expect([outside.status, outside.text]).toEqual([404, missing.text]);
    }
    const change = { id: parent.key.id, name: "x" };
    expectFault(await parent.json("PUT", "/api/keys", change), 404);
    const widen = { ...change, actions: ["admin"] };
    expectFault(await parent.json("PUT", "/api/keys", widen), 400, /`actions` is not a field/);
    expectFault(await parent.json("DELETE", "/api/keys", { id: parent.key.id }), 404);
    const { keys } = expectData(await a.get("/api/keys"), keysData);
    const now = keys.find(({ id }) => id === parent.key.id);
    expect(now).toMatchObject({ actions: parent.key.actions, folder: parent.key.folder });
    expect(keys.filter(({ parentId }) => parentId === parent.key.id)).toEqual([]);
  });

  test("of a folder, even with `admin`, creates only children", async () => {
    const folder = await newFolder();
    const parent = await create({ folderId: folder.id, actions: ["admin"] });
    expect((await createChild(parent, {})).key.actions).toEqual([
      "list",
      "read",
      "write",
      "delete",
      "share",
    ]);
    const child = await createChild(parent, { actions: ["admin"] });
    expect(child.key).toMatchObject({ actions: ["admin"], folder, parentId: parent.key.id });
    expectFault(await parent.create({ folderId: await rootId() }), 404);
    expectFault(await parent.create({ folder: "" }), 400, /leave it out/);
  });

  test("sees, renames and revokes only its descendants; others look missing", async () => {
    const parent = await create({ actions: ["keys"] });
    const other = await create({ actions: ["keys"] });
    expectFault(await parent.create({}), 400, /`actions` is missing/);
    const child = await createChild(parent, { actions: ["keys"] });
    const grandchild = await createChild(child, { actions: ["keys"] });
    const seen = async (by: typeof child) =>
      expectData(await by.get("/api/keys"), keysData).keys.map(({ id }) => id);
    expect(await seen(parent)).toEqual([grandchild.key.id, child.key.id]);
    expect(await seen(other)).toEqual([]);
    for (const method of ["PUT", "DELETE"]) {
      const body = (id: string) => (method === "PUT" ? { id, name: "x" } : { id });
      const missing = await child.json(method, "/api/keys", body("nope"));
      expectFault(missing, 404);
      for (const { key } of [parent, other, child]) {
        const hidden = await child.json(method, "/api/keys", body(key.id));
        expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
      }
    }
    for (const { key } of [parent, other, child]) {
      expectFault(await child.json("POST", "/api/keys/s3", { id: key.id }), 404);
    }
    expectData(
      await parent.json("POST", "/api/keys/s3", { id: grandchild.key.id }),
      s3CredentialsData,
    );
    const rename = { id: grandchild.key.id, name: "renamed" };
    const renamed = await parent.json("PUT", "/api/keys", rename);
    expect(expectData(renamed, keyData).key).toMatchObject({ name: "renamed" });
  });

  test("ends all its descendants when it is revoked", async () => {
    const parent = await create({ actions: ["list", "keys"] });
    const { actions } = parent.key;
    const child = await createChild(parent, { actions });
    const grandchild = await createChild(child, { actions });
    const other = await createChild(parent, { actions });
    const answer = await parent.json("DELETE", "/api/keys", { id: child.key.id });
    expect(expectData(answer, deletedData).deleted).toEqual([child.key.id, grandchild.key.id]);
    for (const each of [child, grandchild]) expectFault(await each.get("/api/keys"), 401);
    expectData(await other.get("/api/keys"), keysData);
    await a.json("DELETE", "/api/keys", { id: parent.key.id });
    expectFault(await other.get("/api/keys"), 401);
    expectFault(await other.create({}), 401);
  });

  test("has descendants of at most four generations", async () => {
    let last = await create({ actions: ["keys"] });
    const rights = { actions: ["keys"] };
    for (let generation = 1; generation <= 4; generation += 1) {
      last = await createChild(last, rights);
    }
    expectFault(await last.create(rights), 403, /4 generations/);
  });

  test("expires together with its children", async () => {
    // Long enough for the creation of the child on a busy machine.
    const parent = await create({ actions: ["list", "keys"], expiresIn: 4 });
    const child = await createChild(parent, {});
    const isOver = async () => (await parent.get("/api/keys")).status === 401;
    await eventually("the parent expires", isOver);
    expectFault(await child.get("/api/keys"), 401);
    expectFault(await parent.create({}), 401);
  });
});

describe("keys without limits", () => {
  test("create keys that stay valid without them", async () => {
    const actions = ["admin"];
    const old = await create({ actions });
    const replacement = expectData(await old.create({ actions, expiresIn: null }), newKeyData);
    expect(replacement.key).toMatchObject({ expiresAt: null, parentId: null });
    await a.json("DELETE", "/api/keys", { id: old.key.id });
    expectData(await withKey(replacement.secret).get("/api/keys"), keysData);
  });

  test("that expire create no keys that are valid longer", async () => {
    const actions = ["admin"];
    const admin = await create({ actions, expiresIn: 600 });
    for (const expiresIn of [null, 660]) {
      expectFault(await admin.create({ expiresIn }), 403, /expires at .* valid longer/);
    }
    const { key } = expectData(await admin.create({ actions }), newKeyData);
    expect(key).toMatchObject({
      actions,
      expiresAt: admin.key.expiresAt,
      parentId: null,
    });
    const shorter = expectData(await admin.create({ expiresIn: 60 }), newKeyData);
    expect(`${shorter.key.expiresAt}` < `${admin.key.expiresAt}`).toBe(true);
    const { keys } = expectData(await admin.get("/api/keys"), keysData);
    expect(keys.map(({ id }) => id)).toContain(shorter.key.id);
  });

  test("and sessions see all keys", async () => {
    const parent = await create({ actions: ["keys"] });
    const child = await createChild(parent, { actions: ["keys"] });
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    const signedIn = await fromPage(server, "POST", "/auth/sign-in", "", { email, password });
    const headers = { Cookie: cookieOf(signedIn) };
    for (const listed of [
      await send(server, "GET", "/api/keys", headers),
      await a.get("/api/keys"),
    ]) {
      const ids = expectData(listed, keysData).keys.map(({ id }) => id);
      expect(ids).toContain(child.key.id);
    }
  });
});

describe("without the rights", () => {
  test("a key gets 403 for API keys, the settings and the activity", async () => {
    const folder = await newFolder();
    const reader = await create({ actions: ["list", "read"] });
    const all = await create({ folderId: folder.id, actions: ["admin"] });
    const refused = (action: string) => new RegExp(`needs the action \`${action}\``);
    expectFault(await reader.get("/api/keys"), 403, refused("keys"));
    expectFault(await reader.create({}), 403, refused("keys"));
    expectFault(await reader.get("/api/settings"), 403, refused("admin"));
    expectFault(await reader.json("PUT", "/api/settings", { maxDeleteBatch: 5 }), 403);
    expectFault(await reader.get("/api/activity"), 403, refused("admin"));
    expectFault(await all.get("/api/settings"), 403, /limited to a folder/);
    expectFault(await all.json("PUT", "/api/settings", { maxDeleteBatch: 5 }), 403, /folder/);
    expect((await reader.get("/api/openapi.json")).status).toBe(200);
  });

  test("the attempt is in the audit log", async () => {
    const reader = await create({ actions: ["list"] });
    expectFault(await reader.create({ name: "attempt" }), 403);
    await eventually("the attempt is recorded", async () => {
      const answer = await a.get(`/api/activity?actor=${reader.key.id}`);
      const { activity } = expectData(answer, entries);
      return activity.some(({ action, status }) => action === "createKey" && status === 403);
    });
  });
});

test.each([[["share", "read"]], [["admin"]]])(
  "a URL that an expiring key with %j signs expires no later than the key",
  async (actions) => {
    const file = await a.put(unique("file"), "x", { visibility: "private" });
    const limited = await create({ actions, expiresIn: 60 });
    const signed = await limited.json("POST", "/api/files/sign", { id: file.id, expiresIn: 3600 });
    const { url, expiresAt } = expectData(signed, signedData);
    expect(expiresAt.slice(0, 19).replace("T", " ")).toBe(limited.key.expiresAt ?? "");
    expect((await send(server, "GET", `/${url}`)).text).toBe("x");
  },
);
