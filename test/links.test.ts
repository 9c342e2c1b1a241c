import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { linkObject } from "../contract/objects/links.ts";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { newKeyData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const linkShape = z.strictObject(linkObject.shape);
const one = z.strictObject({ link: linkShape });
const page = z.strictObject({ links: z.array(linkShape), nextCursor: z.string().nullable() });
const revoked = z.strictObject({ deleted: z.array(z.string()), link: linkShape });

type Client = Pick<ReturnType<typeof api>, "json" | "get">;

const create = async (body: object, by: Client = a) =>
  expectData(await by.json("POST", "/api/links", body), one).link;
const change = (body: object, by: Client = a) => by.json("PUT", "/api/links", body);
const revoke = (id: string, by: Client = a) => by.json("DELETE", "/api/links", { id });
const list = async (query = "", by: Client = a) =>
  expectData(await by.get(`/api/links${query}`), page);

async function keyFor(actions: readonly string[], folder?: string, by: Client = a) {
  const body = { name: unique("key"), actions, ...(folder === undefined ? {} : { folder }) };
  const { key, secret } = expectData(await by.json("POST", "/api/keys", body), newKeyData);
  return { ...api({ url: server.url, apiKey: secret }), key };
}

describe("a maximum of days", () => {
  test("ends links that name no end, and refuses later ends", async () => {
    const file = await a.put(`${unique("days")}/file.txt`);
    const before = await create({ fileId: file.id });
    await a.json("PUT", "/api/settings", { maxLinkDays: 2 });
    try {
      const days = (link: { createdAt: string; expiresAt: string | null }): number =>
        (Date.parse(`${link.expiresAt?.replace(" ", "T")}Z`) -
          Date.parse(`${link.createdAt.replace(" ", "T")}Z`)) /
        86_400_000;
      expect(days(await create({ fileId: file.id }))).toBeCloseTo(2, 3);
      expect(days(await create({ fileId: file.id, expiresIn: 86_400 }))).toBeCloseTo(1, 3);
      const late = { fileId: file.id, expiresIn: 3 * 86_400 };
      expectFault(await a.json("POST", "/api/links", late), 400, /maxLinkDays.*2/);
      expectFault(await change({ id: before.id, expiresIn: 3 * 86_400 }), 400, /maxLinkDays/);
      const kept = expectData(await change({ id: before.id, title: "kept" }), one).link;
      expect(kept.expiresAt).toBeNull();
      const ended = expectData(await change({ id: before.id, expiresAt: null }), one).link;
      expect(ended.expiresAt).not.toBeNull();
    } finally {
      await a.json("PUT", "/api/settings", { maxLinkDays: null });
    }
  });
});

describe("a link", () => {
  test("is made for a file, with a URL that is shown again", async () => {
    const file = await a.put(`${unique("made")}/file.txt`);
    const link = await create({ fileId: file.id });
    expect(link).toMatchObject({
      kind: "read",
      title: null,
      hasPassword: false,
      expiresAt: null,
      usesLeft: null,
      subject: { kind: "file", id: file.id, key: file.key, name: "file.txt" },
      visits: 0,
      downloadOnly: false,
      maxBytes: null,
      maxFiles: null,
      state: "active",
      revokedAt: null,
      createdBy: { kind: "key" },
    });
    expect(link.url).toMatch(/^s\/[\w-]{22}$/);
    expect(await list(`?fileId=${file.id}`)).toEqual({ links: [link], nextCursor: null });
  });

  test("is made for a folder with every option, which can be changed and removed", async () => {
    const folder = unique("options");
    const { folderId } = await a.put(`${folder}/file.txt`);
    const link = await create({
      folderId,
      kind: "drop",
      title: " Our photos ",
      password: "gull & tide",
      expiresAt: "2999-01-31 09:30:00",
      uses: 10,
      maxBytes: 1e12,
      maxFiles: 100,
    });
    expect(link).toMatchObject({
      kind: "drop",
      title: "Our photos",
      hasPassword: true,
      usesLeft: 10,
      expiresAt: "2999-01-31 09:30:00",
      maxBytes: 1e12,
      maxFiles: 100,
      subject: { kind: "folder", key: folder, name: folder },
    });
    const changed = { id: link.id, uses: 3, title: null, expiresAt: "2999-02-01T00:00:00+01:00" };
    expect(expectData(await change(changed), one).link).toEqual({
      ...link,
      usesLeft: 3,
      title: null,
      expiresAt: "2999-01-31 23:00:00",
    });
    const none = { password: null, expiresAt: null, uses: null, maxBytes: null, maxFiles: null };
    expect(expectData(await change({ id: link.id, ...none }), one).link).toMatchObject({
      hasPassword: false,
      expiresAt: null,
      usesLeft: null,
      maxBytes: null,
      maxFiles: null,
    });
    const soon = expectData(await change({ id: link.id, expiresIn: 60 }), one).link;
    expect(Date.parse(`${soon.expiresAt}Z`)).toBeGreaterThan(Date.now());
  });

  test("is refused with options that are wrong or do not fit", async () => {
    const { id: fileId, folderId } = await a.put(`${unique("wrong")}/file.txt`);
    const wrong: [object, RegExp][] = [
      [{}, /`fileId` or the `folderId`/],
      [{ fileId, folderId }, /either `fileId` or `folderId`/],
      [{ fileId, kind: "write" }, /`kind` must be `read` or `drop`/],
      [{ fileId, kind: "drop" }, /drop link is for a folder/],
      [{ fileId, title: " " }, /`title` must be a title of 1 to 200 characters/],
      [{ fileId, password: "" }, /`password` must be a password of 1 to 256/],
      [{ fileId, expiresAt: "tomorrow" }, /`expiresAt` must be a time such as/],
      [{ fileId, expiresAt: "2026-02-31 00:00:00" }, /`expiresAt` must be a time such as/],
      [{ fileId, expiresAt: "2020-01-31 00:00:00" }, /must be in the future/],
      [{ fileId, expiresAt: "2999-01-31", expiresIn: 5 }, /either `expiresAt` or `expiresIn`/],
      [{ fileId, expiresIn: 0 }, /`expiresIn` must be a number of seconds/],
      [{ fileId, uses: 0 }, /`uses` must be a whole number of visits of at least 1/],
      [{ fileId, uses: 1.5 }, /`uses` must be a whole number/],
      [{ fileId, maxFiles: 3 }, /`drop` only/],
      [{ folderId, kind: "drop", downloadOnly: true }, /`read` only/],
      [{ fileId, downloadOnly: "yes" }, /`downloadOnly` must be true or false/],
    ];
    for (const [body, message] of wrong) {
      expectFault(await a.json("POST", "/api/links", body), 400, message);
    }
    expectFault(await a.json("POST", "/api/links", { fileId: "none" }), 404, /File not found/);
    expectFault(await a.json("POST", "/api/links", { folderId: "none" }), 404, /Folder not found/);
    expectFault(await a.json("POST", "/api/links", { fileId: folderId }), 404);
    const { id } = await create({ fileId });
    expectFault(await change({ id, maxFiles: 3 }), 400, /`drop` only/);
    expectFault(await change({ id: "none" }), 404, /Link not found/);
    expectFault(await a.get("/api/links?cursor=nonsense"), 400);
    expectFault(await a.get(`/api/links?fileId=${fileId}&folderId=${folderId}`), 400);
    expectFault(await a.get("/api/links?includeRevoked=yes"), 400);
  });

  test("is revoked permanently, and listed only on request", async () => {
    const { id: fileId } = await a.put(`${unique("revoked")}/file.txt`);
    const { id } = await create({ fileId });
    expectFault(await revoke("none"), 404);
    const { deleted, link } = expectData(await revoke(id), revoked);
    expect(deleted).toEqual([id]);
    expect(link).toMatchObject({ id, state: "revoked", revokedAt: expect.any(String) });
    expect((await list(`?fileId=${fileId}`)).links).toEqual([]);
    expect((await list(`?fileId=${fileId}&includeRevoked=1`)).links).toEqual([link]);
    expectFault(await revoke(id), 409, /revoked/);
    expectFault(await change({ id, uses: 3 }), 409, /revoked/);
  });

  test("follows renames, and is unavailable once the file is deleted", async () => {
    const folder = unique("moves");
    const file = await a.put(`${folder}/file.txt`);
    const link = await create({ fileId: file.id });
    await a.json("PUT", "/api/files", { id: file.id, name: "other.txt" });
    const now = async () => (await list(`?fileId=${file.id}`)).links[0];
    expect((await now())?.subject).toMatchObject({ key: `${folder}/other.txt`, name: "other.txt" });
    await a.json("DELETE", "/api/files", { id: file.id });
    await a.put(`${folder}/other.txt`, "another");
    const after = await now();
    // The sweep may have removed it already.
    if (after !== undefined) {
      expect(after).toEqual({
        ...link,
        state: "unavailable",
        subject: { ...link.subject, key: null, name: null },
      });
    }
  });

  test("keeps the name of what is in the trash, for those who see all of it", async () => {
    const base = unique("trashed");
    const file = await a.put(`${base}/report.txt`);
    const { id: folderId } = await a.folder(`${base}/photos`);
    const key = await keyFor(["read", "list", "share"], base);
    await create({ fileId: file.id });
    await create({ folderId });
    await create({ fileId: file.id }, key);
    await a.json("DELETE", "/api/files", { id: file.id, trash: true });
    await a.json("DELETE", "/api/folders", { id: folderId, trash: true });
    const subjects = async (query: string, by: Client = a) =>
      (await list(query, by)).links.map(({ subject }) => [subject.key, subject.name]);
    expect(await subjects(`?fileId=${file.id}`)).toEqual([
      [null, "report.txt"],
      [null, "report.txt"],
    ]);
    expect(await subjects(`?folderId=${folderId}`)).toEqual([[null, "photos"]]);
    expect(await subjects("", key)).toEqual([[null, null]]);
  });

  test("is listed by the key of what it leads to, for those who see that", async () => {
    const base = unique("by-key");
    const file = await a.put(`${base}/inner/report.txt`);
    const toFile = await create({ fileId: file.id });
    const toFolder = await create({ folderId: file.folderId });
    const idsBy = async (query: string, by: Client = a) =>
      (await list(query, by)).links.map(({ id }) => id);
    expect(await idsBy(`?key=${base}/inner/report.txt`)).toEqual([toFile.id]);
    expect(await idsBy(`?folder=${base}/inner`)).toEqual([toFolder.id]);
    expectFault(await a.get(`/api/links?folder=${base}/inner/report.txt`), 404, /Folder not found/);
    expectFault(await a.get("/api/links?key="), 400, /`key` is empty/);
    expectFault(await a.get("/api/links?key=a&folder=b"), 400, /either a file/);
    await a.folder(`${base}/other`);
    const elsewhere = await keyFor(["read", "list", "share"], `${base}/other`);
    expectFault(await elsewhere.get(`/api/links?key=${base}/inner/report.txt`), 404);
  });

  test("is in pages of the list, newest first", async () => {
    const { id: fileId } = await a.put(`${unique("pages")}/file.txt`);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await create({ fileId })).id);
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const next = await list(`?fileId=${fileId}&limit=2&cursor=${cursor}`);
      expect(next.links.length).toBeLessThanOrEqual(2);
      found.push(...next.links.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    expect(found).toEqual(ids);
    const { nextCursor } = await list(`?fileId=${fileId}&limit=2`);
    expectFault(await a.get(`/api/links?limit=2&cursor=${nextCursor}`), 400, /cursor/);
  });
});

describe("an API key with limits", () => {
  const ACTIONS = ["list", "read", "share", "keys"];

  test("manages the links that it and its descendants have made, and no others", async () => {
    const folder = unique("owned");
    const { id: fileId, folderId } = await a.put(`${folder}/file.txt`);
    const parent = await keyFor(ACTIONS, folder);
    const child = await keyFor(["read", "share"], undefined, parent);
    const stranger = await keyFor(ACTIONS, folder);
    const [ofAdmin, ofParent, ofChild] = [
      await create({ folderId }),
      await create({ folderId }, parent),
      await create({ fileId }, child),
    ];
    const seen = async (by: Client) => (await list("", by)).links.map(({ id }) => id);
    expect(await seen(parent)).toEqual([ofChild.id, ofParent.id]);
    expect(await seen(child)).toEqual([ofChild.id]);
    expect(await seen(stranger)).toEqual([]);
    expect(await seen(a)).toEqual(expect.arrayContaining([ofAdmin.id, ofParent.id, ofChild.id]));
    for (const { id } of [ofAdmin, ofParent]) {
      expectFault(await change({ id, uses: 1 }, child), 404, /Link not found/);
      expectFault(await revoke(id, child), 404, /Link not found/);
      expectFault(await revoke(id, stranger), 404, /Link not found/);
    }
    expectData(await change({ id: ofChild.id, uses: 1 }, parent), one);
    expectData(await revoke(ofChild.id, parent), revoked);
    expectData(await revoke(ofParent.id), revoked);
  });

  test("needs `share` for everything about links, and never sees where they were moved to", async () => {
    const folder = unique("moved");
    const { id: fileId } = await a.put(`${folder}/file.txt`);
    const away = await a.put(`${unique("secret")}/place.txt`);
    const key = await keyFor(["read", "share"], folder);
    const { id } = await create({ fileId }, key);
    await a.json("PUT", "/api/files", { id: fileId, folderId: away.folderId });
    const [link] = (await list("", key)).links;
    expect(link).toMatchObject({ state: "unavailable", subject: { key: null, name: null } });
    expect((await list(`?fileId=${fileId}`)).links[0]).toMatchObject({
      id,
      state: "unavailable",
      subject: { name: "file.txt" },
    });
    const reader = await keyFor(["list", "read", "write", "delete", "keys"]);
    for (const answer of [
      await reader.get("/api/links"),
      await reader.json("POST", "/api/links", { fileId }),
      await change({ id, uses: 1 }, reader),
      await revoke(id, reader),
    ]) {
      expectFault(answer, 403, /`share`/);
    }
  });

  test("ends its links when it is revoked", async () => {
    const { id: fileId } = await a.put(`${unique("maker")}/file.txt`);
    const key = await keyFor(["read", "share"]);
    await create({ fileId }, key);
    await a.json("DELETE", "/api/keys", { id: key.key.id });
    expect((await list(`?fileId=${fileId}`)).links[0]).toMatchObject({
      state: "unavailable",
      createdBy: { kind: "key", id: key.key.id },
    });
  });
});

test("links are in the audit log, without their passwords and URLs", async () => {
  const cookie = await signIn(server);
  const file = await a.put(`${unique("audit")}/file.txt`);
  const made = await fromPage(server, "POST", "/api/links", cookie, {
    fileId: file.id,
    password: "hunter22",
    title: "For you",
  });
  const { link } = expectData(made, one);
  await change({ id: link.id, uses: 4, password: "hunter23" });
  await revoke(link.id);
  const subjectShape = z.object({
    kind: z.string(),
    id: z.string().nullable(),
    key: z.string().nullable(),
    name: z.string().nullable(),
  });
  const entry = z.object({
    action: z.string(),
    subject: subjectShape.nullable(),
    detail: z.record(z.string(), z.unknown()),
  });
  const shape = z.object({ activity: z.array(entry) });
  let entries: z.infer<typeof entry>[] = [];
  await eventually("the entry of the last request", async () => {
    const answer = await a.get("/api/activity?limit=200");
    expect(answer.text).not.toContain("hunter2");
    expect(answer.text).not.toContain(link.url ?? "s/");
    const { activity } = expectData(answer, shape);
    entries = activity.filter(
      ({ action, subject }) =>
        action.endsWith("Link") && [link.id, file.id].includes(subject?.id ?? ""),
    );
    return entries.some(({ action }) => action === "revokeLink");
  });
  const subject = { kind: "link", id: link.id, key: null, name: "For you" };
  expect(entries).toEqual([
    { action: "revokeLink", subject, detail: {} },
    { action: "changeLink", subject, detail: { uses: 4, password: true } },
    {
      action: "createLink",
      subject: { kind: "file", id: file.id, key: file.key, name: null },
      detail: { kind: "read", link: link.id, title: "For you", password: true },
    },
  ]);
});

test("a link's URL is unknown once AUTH_SECRET has changed, and the link can still be revoked", async () => {
  const own = await startServer({ AUTH_SECRET: "first-secret-of-this-server-0123456789" });
  try {
    const { id: fileId } = await api(own).put("file.txt");
    const { id } = await create({ fileId }, api(own));
    await own.stop();
    await own.restart({ AUTH_SECRET: "second-secret-of-this-server-0123456789" });
    const [link] = (await list("", api(own))).links;
    expect(link).toMatchObject({ id, url: null, state: "active" });
    expectData(await revoke(id, api(own)), revoked);
  } finally {
    await own.discard();
  }
});

test("requests without credentials are refused", async () => {
  expectFault(await send(server, "GET", "/api/links"), 401);
});
