import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { linkRequests, newVisitCookie } from "./link-requests.ts";
import { filePart, multipart, type Part } from "./multipart.ts";

const server = await startServer({ RATE_LIMIT_LINKS: "0" });
afterAll(() => server.discard());
const a = api(server);
const { share, secretFile, visit } = linkRequests(server);

describe("a drop link", () => {
  const json = { "Content-Type": "application/json" };
  const started = z.object({ batch: z.object({ folder: z.string() }), url: z.string() });

  async function start(path: string, body: object = {}) {
    const answer = await send(server, "POST", `${path}/batch`, json, JSON.stringify(body));
    const data = JSON.parse(answer.text).data;
    return { answer, ...started.parse(data), cookie: newVisitCookie(answer) };
  }

  test("shows visitors neither the folder nor what others sent", async () => {
    const { folderId } = await secretFile(`SECRET-${unique("drop")}/SECRET.txt`, "SECRET");
    const { path } = await share({ folderId, kind: "drop", title: "Send us photos" });
    const one = await start(path, { name: "Ada" });
    const { contentType, bytes } = multipart([filePart("SECRET.jpg", "SECRET")]);
    await send(server, "POST", `/${one.url}/files`, { "Content-Type": contentType }, bytes);
    expect((await send(server, "POST", `/${one.url}/commit`)).status).toBe(200);
    const two = await start(path, { name: "Eve" });
    expect([one.batch.folder, two.batch.folder]).toEqual(["Ada", "Eve"]);
    const asked = [
      ...["", "/", "/SECRET.txt", "/Ada/SECRET.jpg", "/Ada/", "?zip=1", "?download=1", "/batch"],
      ...["/SECRET.txt?view=1", "?view=list"],
    ];
    for (const below of asked) {
      for (const cookie of [one.cookie, two.cookie]) {
        const { text } = await visit(`${path}${below}`, { Cookie: cookie });
        expect([below, text.includes("SECRET")]).toEqual([below, false]);
      }
    }
    const shown = await send(server, "GET", `/${two.url}`);
    expect([shown.status, shown.text.includes("SECRET")]).toEqual([200, false]);
  });

  test("stores privately within its limits, and the owner sees who sent what", async () => {
    const folder = unique("inbox");
    const { id: folderId } = await a.folder(folder);
    const { path, id } = await share({
      folderId,
      kind: "drop",
      title: "Inbox",
      maxFiles: 2,
      maxBytes: 20,
    });
    const { url } = await start(path, { name: "Ada" });
    const create = (body: object) =>
      send(server, "POST", `/${url}/uploads`, json, JSON.stringify(body));
    expectFault(await create({ name: "big", size: 21 }), 413);
    expect((await create({ name: "a.txt", size: 12, visibility: "public" })).status).toBe(201);
    expectFault(await create({ name: "b.txt", size: 9 }), 413, /20 bytes/);
    const uploads = JSON.parse((await create({ name: "b.txt", size: 8 })).text).data.upload;
    expectFault(await create({ name: "c.txt", size: 0 }), 413, /2 files/);
    await send(server, "DELETE", `/${uploads.url}`, { "Tus-Resumable": "1.0.0" });
    const again = JSON.parse((await create({ name: "a.txt", size: 5 })).text).data.upload;
    const headers = {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": "0",
      "Content-Type": "application/offset+octet-stream",
    };
    expect((await send(server, "PATCH", `/${again.url}`, headers, "hello")).status).toBe(204);
    expect((await send(server, "POST", `/${url}/commit`)).status).toBe(200);
    const { files } = await a.browse(`${folder}/Ada`);
    expect(files).toMatchObject([{ name: "a.txt", size: 5, visibility: "private" }]);
    const shape = z.object({ activity: z.array(z.record(z.string(), z.unknown())) });
    await eventually("the entry in the activity", async () => {
      const answer = await a.get("/api/activity?action=receiveFiles");
      const entry = expectData(answer, shape).activity.find(
        ({ actor }) => z.object({ id: z.unknown() }).parse(actor).id === id,
      );
      if (entry === undefined) return false;
      expect(entry).toMatchObject({
        outcome: "done",
        actor: { kind: "link", id, name: "Inbox" },
        subject: { kind: "folder", key: `${folder}/Ada` },
        detail: { files: 1, bytes: 5 },
      });
      return true;
    });
  });

  test("keeps the message of a visitor as a file beside the others", async () => {
    const folder = unique("message");
    const { id: folderId } = await a.folder(folder);
    const { path } = await share({ folderId, kind: "drop", maxFiles: 3 });
    const post = (parts: Part[]) => {
      const { contentType, bytes } = multipart(parts);
      const headers = { "Content-Type": contentType, Accept: "text/html" };
      return send(server, "POST", path, headers, bytes);
    };
    const message = "Bis Freitag, bitte.\r\nشكرا 🌲";
    const answer = await post([
      { name: "name", content: "Ada" },
      { name: "message", content: message },
      filePart("Message.txt", "mine"),
      filePart("a.txt", "a"),
    ]);
    expect([answer.status, answer.header("location")]).toEqual([303, `${path}?received=2`]);
    const { files } = await a.browse(`${folder}/Ada`);
    expect(files.map(({ name }) => name).toSorted()).toEqual([
      "Message (2).txt",
      "Message.txt",
      "a.txt",
    ]);
    const stored = await a.get(`/api/hosting/${folder}/Ada/Message.txt`);
    expect(stored.text).toBe(message);
    const blank = [{ name: "message", content: " \n" }, filePart("b.txt", "b")];
    expect((await post([{ name: "name", content: "Eve" }, ...blank])).status).toBe(303);
    expect((await a.browse(`${folder}/Eve`)).files).toMatchObject([{ name: "b.txt" }]);
  });

  test("refuses a form whose message or name has another spelling, and stores nothing", async () => {
    const folder = unique("misspelt");
    const { id: folderId } = await a.folder(folder);
    const { path } = await share({ folderId, kind: "drop" });
    const post = (parts: Part[]) => {
      const { contentType, bytes } = multipart(parts);
      return send(server, "POST", path, { "Content-Type": contentType }, bytes);
    };
    const file = filePart("a.txt", "a");
    for (const name of ["mesage", "Message", "nme", "NAME"]) {
      for (const parts of [
        [{ name, content: "Ada" }, file],
        [file, { name, content: "Ada" }],
      ]) {
        expectFault(await post(parts), 400, /There is no field .* did you mean/);
      }
    }
    expect(await a.browse(folder)).toMatchObject({ files: [], folders: [] });
    for (const name of ["visibility", "date", "note"]) {
      expect((await post([{ name, content: "public" }, file])).status).toBe(201);
    }
  });

  test("shows its limits before files are chosen", async () => {
    const { id: folderId } = await a.folder(unique("limits"));
    const shown = async (options: object) =>
      (await visit((await share({ folderId, kind: "drop", ...options })).path)).text;
    expect(await shown({})).toContain("Files of any type · up to 5 GiB each");
    const capped = await shown({ maxFiles: 20, maxBytes: 5_000_000 });
    expect(capped).toContain(
      "Files of any type · up to 20 files, with the message · up to 5 MB together",
    );
    const one = await shown({ maxFiles: 1 });
    expect(one).not.toContain('name="message"');
    expect(one).toContain("up to 1 file · up to 5 GiB each");
  });

  test("ends for visitors who are sending when it is revoked", async () => {
    const { id: folderId } = await a.folder(unique("revoked"));
    const { path, id } = await share({ folderId, kind: "drop" });
    const { url, cookie } = await start(path);
    await a.json("DELETE", "/api/links", { id });
    const { contentType, bytes } = multipart([filePart("late.txt", "late")]);
    const late = await send(
      server,
      "POST",
      `/${url}/files`,
      { "Content-Type": contentType },
      bytes,
    );
    expectFault(late, 404);
    expectFault(await send(server, "POST", `/${url}/commit`), 404);
    expect((await visit(path, { Cookie: cookie })).status).toBe(404);
  });

  test.each(["name", "password"])(
    "refuses a form whose field %s comes after a file, and stores nothing",
    async (field) => {
      const folder = unique("order");
      const { id: folderId } = await a.folder(folder);
      const { path } = await share({ folderId, kind: "drop" });
      const post = (parts: Part[]) => {
        const { contentType, bytes } = multipart(parts);
        return send(server, "POST", path, { "Content-Type": contentType }, bytes);
      };
      const late = { name: field, content: "Ada" };
      const answer = await post([filePart("a.txt", "a"), late, filePart("b.txt", "b")]);
      expectFault(answer, 400, /must come before the first file/);
      expect(await a.browse(folder)).toMatchObject({ files: [], folders: [] });
      expect((await post([late, filePart("a.txt", "a")])).status).toBe(201);
      expect(await a.browse(folder)).toMatchObject({ folders: [{}] });
    },
  );
});
