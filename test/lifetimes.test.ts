import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { lifetimeRequests } from "./lifetime-requests.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);
const { post, put, tus, endOf } = lifetimeRequests(server);

/** In seconds from now. */
const leftOf = async (key: string) => {
  const end = await endOf(key);
  return end === null ? null : (Date.parse(`${end.replace(" ", "T")}Z`) - Date.now()) / 1000;
};
const isAbout = (seconds: number) => (left: number | null) =>
  left !== null && Math.abs(left - seconds) < 30;

const HOUR = 3600;
const IN_AN_HOUR = () => new Date(Date.now() + HOUR * 1000).toISOString();

describe("the lifetime of a file", () => {
  test("is set at every kind of upload", async () => {
    const top = unique("life");
    expect((await post("/api/files", { folder: top, expiresIn: `${HOUR}` }, "form")).status).toBe(
      200,
    );
    await post("/api/files", { folder: top, expiresAt: IN_AN_HOUR() }, "form-at");
    await put(`${top}/raw`, `&expiresIn=${HOUR}`);
    await put(`${top}/raw-at`, `&expiresAt=${encodeURIComponent(IN_AN_HOUR())}`);
    const json = { folder: top, size: 0, fileExpiresIn: HOUR };
    expect((await a.json("POST", "/api/uploads", { ...json, name: "json" })).status).toBe(201);
    const byTus = await tus({ filename: "tus", folder: top, expiresIn: `${HOUR}` });
    expect(byTus.status).toBe(201);
    const created = await a.json("POST", "/api/batches", { folder: top, fileExpiresIn: HOUR });
    const { url } = JSON.parse(created.text).data;
    await post(`/${url}/files`, {}, "batch");
    expect((await send(server, "POST", `/${url}/commit`)).status).toBe(200);
    const free = JSON.parse((await a.json("POST", "/api/batches", { folder: top })).text).data.url;
    await post(`/${free}/files`, { expiresIn: `${HOUR}` }, "member");
    await send(server, "POST", `/${free}/commit`);
    const { key } = await a.put(`${top}/source`);
    await a.json("POST", "/api/files/copy", { key, name: "copy", expiresIn: HOUR });
    await a.json("PUT", "/api/files", { key, expiresAt: IN_AN_HOUR() });
    const names = ["form", "form-at", "raw", "raw-at", "json", "tus", "batch", "member"];
    for (const name of [...names, "copy", "source"]) {
      expect([name, await leftOf(`${top}/${name}`)]).toSatisfy(([, left]) =>
        isAbout(HOUR)(typeof left === "number" ? left : null),
      );
    }
    const list = await a.get(`/api/files?name=tus&include=lifetime`);
    expect(JSON.parse(list.text).data.files[0].expiresAt).toBe(await endOf(`${top}/tus`));
    expect(JSON.parse((await a.get(`/api/files?name=tus`)).text).data.files[0]).not.toHaveProperty(
      "expiresAt",
    );
  });

  test("is taken away by null, and is that of the folder if an upload says nothing", async () => {
    const top = unique("life");
    const folder = await a.folder(top);
    await a.json("PUT", "/api/folders", { id: folder.id, expireAfter: HOUR });
    const { key } = await a.put(`${top}/a/f`);
    expect(await leftOf(key)).toSatisfy(isAbout(HOUR));
    await a.json("PUT", "/api/files", { key, expiresIn: null });
    expect(await endOf(key)).toBeNull();
    await put(`${top}/never`, "&expiresAt=never");
    expect(await endOf(`${top}/never`)).toBeNull();
    const shown = await a.get(`/api/folders/visibility?key=${top}/a`);
    expect(JSON.parse(shown.text).data.folder).toMatchObject({
      expireAfter: null,
      effectiveExpireAfter: HOUR,
    });
  });

  test("ends it everywhere: hosting, lists, links, archives; its name is free and it is in the trash", async () => {
    const top = unique("life");
    await a.put(`${top}/kept`);
    await put(`${top}/f`, "&visibility=public&expiresIn=2");
    const file = JSON.parse((await a.get(`/api/files?key=${top}/f`)).text).data.file;
    const link = await a.json("POST", "/api/links", { fileId: file.id });
    const { url } = JSON.parse(link.text).data.link;
    for (let at = 0; at < 3; at += 1) {
      const hosted = await send(server, "GET", `/${file.url}`);
      expect([hosted.status, hosted.header("cache-control")]).toEqual([
        200,
        expect.stringMatching(/^public, max-age=[01], must-revalidate$|^public, max-age=0/),
      ]);
    }
    await Bun.sleep(2050);
    expect((await send(server, "GET", `/${file.url}`)).status).toBe(404);
    expect((await send(server, "GET", `/${url}`)).status).toBe(404);
    expect((await a.get(`/api/files?id=${file.id}`)).status).toBe(404);
    expect((await a.get(`/api/files/content?key=${top}/f`)).status).toBe(404);
    const zip = await a.get(`/api/folders/download?key=${top}`);
    expect(Buffer.from(zip.bytes).includes(`${top}/kept`) || zip.text.includes("kept")).toBe(true);
    expect(Buffer.from(zip.bytes).includes(`/f`)).toBe(false);
    const found = JSON.parse((await a.get(`/api/search?q=f&includeTotal=1`)).text).data;
    expect(JSON.stringify(found)).not.toContain(file.id);
    expect((await put(`${top}/f`, "&onConflict=refuse")).status).toBe(201);
    const trash = JSON.parse((await a.get("/api/trash")).text).data;
    expect(JSON.stringify(trash)).toContain(file.id);
  });

  test("caches keep nothing longer, whatever the metadata says", async () => {
    const top = unique("life");
    const metadata = { cacheControl: "public, max-age=31536000, immutable" };
    await put(
      `${top}/f`,
      `&visibility=public&expiresIn=600&metadata=${encodeURIComponent(JSON.stringify(metadata))}`,
    );
    const get = (query = "") => send(server, "GET", `/api/hosting/${top}/f${query}`);
    expect((await get()).header("cache-control")).toMatch(/^public, max-age=(?:59\d|600)$/);
    const list = await a.get(`/api/files?name=f&include=lastingUrl&limit=1000`);
    const { files } = JSON.parse(list.text).data;
    const { lastingUrl } = files.find((each: { key: string }) => each.key === `${top}/f`);
    const lasting = await send(server, "GET", `/${lastingUrl}`);
    expect(lasting.header("cache-control")).toMatch(/^public, max-age=(?:59\d|600)$/);
  });

  test("the maker of a link sets it for what visitors send, who cannot", async () => {
    const folder = await a.folder(unique("drop"));
    const created = await a.json("POST", "/api/links", {
      ...{ folderId: folder.id, kind: "drop", fileExpiresIn: HOUR },
    });
    const { link } = JSON.parse(created.text).data;
    expect(link).toMatchObject({ fileExpiresIn: HOUR, fileExpiresAt: null, deleteAtEnd: false });
    const json = { "Content-Type": "application/json" };
    const started = await send(server, "POST", `/${link.url}/batch`, json, '{"name":"Ada"}');
    const { url } = JSON.parse(started.text).data;
    await post(`/${url}/files`, { expiresIn: "9" });
    await send(server, "POST", `/${url}/commit`);
    expect(await leftOf(`${folder.key}/Ada/f.txt`)).toSatisfy(isAbout(HOUR));
  });

  test("a key without the action `delete` lets its uploads end, but no file that is there", async () => {
    const top = unique("rights");
    const { key, id } = await a.put(`${top}/f`);
    const actions = ["list", "read", "write", "share"];
    const created = await a.json("POST", "/api/keys", { name: top, actions });
    const limited = api({ ...server, apiKey: JSON.parse(created.text).data.secret });
    const change = (expiresIn: number | null) =>
      limited.json("PUT", "/api/files", { key, expiresIn });
    expect((await change(HOUR)).status).toBe(403);
    expect((await change(null)).status).toBe(200);
    const link = { fileId: id, expiresIn: HOUR, deleteAtEnd: true };
    expect((await limited.json("POST", "/api/links", link)).status).toBe(403);
    const ofFolder = (expireAfter: number | null) =>
      limited.json("PUT", "/api/folders", { key: top, expireAfter });
    expect((await ofFolder(1)).status).toBe(403);
    for (const expireAfter of [0, null]) expect((await ofFolder(expireAfter)).status).toBe(200);
    const own = { folder: top, name: "own", size: 0, fileExpiresIn: HOUR };
    expect((await limited.json("POST", "/api/uploads", own)).status).toBe(201);
  });

  test("a link with deleteAtEnd takes its file with it", async () => {
    const { id, key } = await a.put(`${unique("link")}/f`);
    const link = { fileId: id, expiresIn: 1, deleteAtEnd: true };
    expect((await a.json("POST", "/api/links", link)).status).toBe(200);
    const bad = { fileId: id, deleteAtEnd: true };
    expect((await a.json("POST", "/api/links", bad)).status).toBe(400);
    await eventually("the file is gone", async () => {
      return (await a.get(`/api/files?key=${encodeURIComponent(key)}`)).status === 404;
    });
  });
});
