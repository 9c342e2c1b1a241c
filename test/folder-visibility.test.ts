import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { folderData, newKeyData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const noLifetime = { expireAfter: null, effectiveExpireAfter: null };
const visibility = z.enum(["public", "private"]);
const place = z.strictObject({ id: z.string(), key: z.string() });
const folderVisibility = z.strictObject({
  folder: place.extend({
    defaultVisibility: visibility.nullable(),
    effectiveVisibility: visibility,
    inheritedFrom: place.nullable(),
    expireAfter: z.int().nullable(),
    effectiveExpireAfter: z.int().nullable(),
  }),
  folders: z.array(place.extend({ defaultVisibility: visibility })),
});
const counts = z.strictObject({ public: z.int(), private: z.int() });
const visibilityCounts = z.strictObject({ files: counts, folders: counts });

const feed = z.object({
  cursor: z.string(),
  changes: z.array(z.record(z.string(), z.unknown())),
});
const audited = z.object({
  activity: z.array(z.looseObject({ subject: z.looseObject({ id: z.string() }) })),
});

const change = async (body: object) =>
  expectData(await a.json("PUT", "/api/folders", body), folderData).folder;
const read = async (query: string) =>
  expectData(await a.get(`/api/folders/visibility${query}`), folderVisibility);
const count = async (query: string) =>
  expectData(await a.get(`/api/folders/visibility/count${query}`), visibilityCounts);

describe("the default visibility of a folder", () => {
  test("is what uploads without a visibility get, and is inherited", async () => {
    const top = unique("papers");
    const folder = await a.folder(top);
    expect(await change({ id: folder.id, defaultVisibility: "private" })).toEqual(folder);
    const file = await a.put(`${top}/2026/salary.csv`);
    expect(file.visibility).toBe("private");
    expectFault(await send(server, "GET", `/${file.url}`), 404);
    expect((await a.put(`${top}/open.txt`, "x", { visibility: "public" })).visibility).toBe(
      "public",
    );

    const { id, key } = folder;
    expect(await read(`?id=${file.folderId}`)).toEqual({
      folder: {
        id: file.folderId,
        key: `${top}/2026`,
        defaultVisibility: null,
        effectiveVisibility: "private",
        inheritedFrom: { id, key },
        ...noLifetime,
      },
      folders: [],
    });
    const own = { id, key, defaultVisibility: "private" } as const;
    expect(await read(`?key=${top}`)).toEqual({
      folder: { ...own, effectiveVisibility: "private", inheritedFrom: null, ...noLifetime },
      folders: [],
    });
    const root = await read("");
    expect(root.folders).toContainEqual(own);
    expect(root.folder).toMatchObject({
      key: "",
      defaultVisibility: null,
      effectiveVisibility: "public",
      inheritedFrom: null,
      ...noLifetime,
    });

    await change({ id, defaultVisibility: null });
    expect((await a.put(`${top}/2026/public.csv`)).visibility).toBe("public");
  });

  test("follows the setting of the instance where no folder has one", async () => {
    const folder = await a.folder(unique("plain"));
    await a.json("PUT", "/api/settings", { defaultVisibility: "private" });
    try {
      expect((await read(`?id=${folder.id}`)).folder.effectiveVisibility).toBe("private");
    } finally {
      await a.json("PUT", "/api/settings", { defaultVisibility: null });
    }
  });

  test("is set together with the visibility of the files that are there", async () => {
    const top = unique("both");
    const file = await a.put(`${top}/a/file`);
    await a.put(`${top}/b/file`, "x", { visibility: "private" });
    const { folder } = await a.browse(top);
    await change({ id: (await a.browse(`${top}/b`)).folder.id, defaultVisibility: "public" });
    expect(await count(`?key=${top}`)).toEqual({
      files: { public: 1, private: 1 },
      folders: { public: 1, private: 0 },
    });
    await change({ id: folder.id, visibility: "private", defaultVisibility: "private" });
    expect((await a.file(file.id)).visibility).toBe("private");
    expect((await count(`?id=${folder.id}`)).files).toEqual({ public: 0, private: 2 });
    expect((await a.put(`${top}/new`)).visibility).toBe("private");
  });

  test("is in the change feed and the audit log", async () => {
    const folder = await a.folder(unique("logged"));
    const since = expectData(await a.get("/api/changes"), feed).cursor;
    await change({ id: folder.id, defaultVisibility: "private" });
    const { changes } = expectData(await a.get(`/api/changes?since=${since}`), feed);
    expect(changes).toMatchObject([
      { kind: "folder.updated", id: folder.id, key: folder.key, visibility: null, folder: null },
    ]);
    const query = "action=changeFolder";
    const entry = async () =>
      expectData(await a.get(`/api/activity?${query}`), audited).activity.find(
        ({ subject }) => subject.id === folder.id,
      );
    await eventually("an entry", async () => (await entry()) !== undefined);
    expect(await entry()).toMatchObject({
      subject: { kind: "folder", id: folder.id, key: folder.key },
      detail: { defaultVisibility: "private" },
    });
  });

  test("refuses the root, unknown values and unknown folders, and says why", async () => {
    const { folder: root } = await a.browse("");
    const put = (body: object) => a.json("PUT", "/api/folders", body);
    expectFault(await put({ id: root.id, defaultVisibility: "private" }), 400, /setting/);
    const { id } = await a.folder(unique("bad"));
    expectFault(await put({ id, defaultVisibility: "secret" }), 400, /public.*private.*null/);
    expectFault(await put({ id }), 400, /defaultVisibility/);
    expectFault(await put({ id: "nobody", defaultVisibility: null }), 404);
    for (const path of ["", "/count"]) {
      expectFault(await a.get(`/api/folders/visibility${path}?id=nobody`), 404);
      expectFault(await a.get(`/api/folders/visibility${path}?id=${id}&key=x`), 400);
    }
  });

  test("a key that is limited to a folder may set it there, and does not see those above", async () => {
    const top = unique("limited");
    const inner = await a.folder(`${top}/inner`);
    const { folder } = await a.browse(top);
    await change({ id: folder.id, defaultVisibility: "private" });
    const made = await a.json("POST", "/api/keys", {
      name: "inner",
      actions: ["list", "write"],
      folderId: inner.id,
    });
    const limited = api({ url: server.url, apiKey: expectData(made, newKeyData).secret });
    const seen = expectData(await limited.get("/api/folders/visibility"), folderVisibility).folder;
    expect(seen).toMatchObject({ effectiveVisibility: "private", inheritedFrom: null });
    const own = { id: inner.id, defaultVisibility: "public" };
    expect((await limited.json("PUT", "/api/folders", own)).status).toBe(200);
    const above = { id: folder.id, defaultVisibility: "public" };
    expectFault(await limited.json("PUT", "/api/folders", above), 404);
    expect((await a.put(`${top}/inner/file`)).visibility).toBe("public");
    expect((await a.put(`${top}/file`)).visibility).toBe("private");
  });
});
