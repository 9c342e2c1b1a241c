import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { filesData, folderData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer({ KEEP_VERSIONS: "true" });
afterAll(() => server.discard());
const a = api(server);

const copyFiles = (body: unknown) => a.json("POST", "/api/files/copy", body);
const copyFolder = (body: unknown) => a.json("POST", "/api/folders/copy", body);
const copied = async (body: unknown) => expectData(await copyFiles(body), filesData).files;
const count = z.int().min(0);
const copiedFolder = folderData.extend({
  added: count,
  replaced: count,
  skipped: count,
  bytes: count,
});

async function expectRefused(
  act: () => ReturnType<typeof copyFiles>,
  status: number,
  message?: RegExp,
): Promise<void> {
  expectFault(await expectUnchanged(server, act), status, message);
}

describe("copying files", () => {
  test("gives the copy the content, headers and visibility of its file, and leaves the file alone", async () => {
    const folder = unique("copy");
    const content = new Uint8Array(300_000).map((_, at) => at % 251);
    const file = await a.put(`${folder}/a b.bin`, content, { visibility: "private" });
    const metadata = { contentLanguage: "de", "x-author": "Ada" };
    await a.json("PUT", "/api/files", { id: file.id, metadata });
    const before = await a.file(file.id);
    const to = await a.folder(`${folder}/to`);
    const [copy] = await copied({ id: file.id, folderId: to.id });
    expect(copy).toMatchObject({
      folderId: to.id,
      key: `${folder}/to/a b.bin`,
      name: "a b.bin",
      size: file.size,
      mimeType: file.mimeType,
      visibility: "private",
    });
    expect(copy?.id).not.toBe(file.id);
    expect(await a.file(file.id)).toEqual(before);
    const read = await a.get(`/${copy?.url}`);
    expect(Buffer.from(read.bytes).equals(Buffer.from(content))).toBe(true);
    expect(read.header("content-language")).toBe("de");
    expectFault(await send(server, "GET", `/${copy?.url}`), 404);
    const digests = await Promise.all(
      [file.id, copy?.id].map((id) => a.get(`/api/files/digest?id=${id}`)),
    );
    expect(new Set(digests.map(({ text }) => JSON.parse(text).data.sha256)).size).toBe(1);

    await a.json("DELETE", "/api/files", { id: file.id, trash: false });
    expect((await a.get(`/${copy?.url}`)).status).toBe(200);
  });

  test("copies empty, small and large files in one request, in the order given", async () => {
    const folder = unique("copy");
    const sizes = [0, 1, 70_000, 3_000_000];
    const ids: string[] = [];
    for (const size of sizes) {
      ids.push((await a.put(`${folder}/${size}`, new Uint8Array(size).fill(size % 200))).id);
    }
    const to = await a.folder(`${folder}/to`);
    const copies = await copied({ ids: ids.toReversed(), folderId: to.id });
    expect(copies.map(({ size }) => size)).toEqual(sizes.toReversed());
    for (const { url, size } of copies) {
      const { bytes } = await a.get(`/${url}`);
      expect([bytes.length, bytes.every((byte) => byte === size % 200)]).toEqual([size, true]);
    }
  });

  test("duplicates in place under free names", async () => {
    const folder = unique("copy");
    const file = await a.put(`${folder}/a.txt`);
    await expectRefused(() => copyFiles({ id: file.id }), 409, /already exists/);
    const twice = { id: file.id, onConflict: "keepBoth" };
    expect((await copied(twice))[0]?.name).toBe("a (2).txt");
    expect((await copied(twice))[0]?.name).toBe("a (3).txt");
    expect((await copied({ id: file.id, name: "b.txt" }))[0]?.key).toBe(`${folder}/b.txt`);
  });

  test("replaces and skips as uploads do, and keeps the replaced content as a version", async () => {
    const folder = unique("copy");
    const file = await a.put(`${folder}/from/a.txt`, "new");
    const old = await a.put(`${folder}/to/a.txt`, "old");
    const into = { ids: [file.id], folderId: old.folderId };
    expect(await copied({ ...into, onConflict: "skip" })).toEqual([]);
    expect((await a.get(`/${old.url}`)).text).toBe("old");
    const [replaced] = await copied({ ...into, onConflict: "replace" });
    expect(replaced).toMatchObject({ id: old.id, key: old.key, size: 3 });
    expect((await a.get(`/${old.url}`)).text).toBe("new");
    const versions = await a.get(`/api/files/versions?id=${old.id}`);
    expect(JSON.parse(versions.text).data.versions).toHaveLength(1);
  });

  test("copies all or nothing", async () => {
    const folder = unique("copy");
    const one = await a.put(`${folder}/from/a.txt`);
    const two = await a.put(`${folder}/from/b.txt`);
    const taken = await a.put(`${folder}/to/b.txt`);
    const into = { folderId: taken.folderId };
    await expectRefused(() => copyFiles({ ...into, ids: [one.id, two.id] }), 409, /"b.txt"/);
    await expectRefused(() => copyFiles({ ...into, ids: [one.id, "nobody"] }), 404, /nobody/);
    await expectRefused(() => copyFiles({ ids: [one.id], folderId: "nowhere" }), 404, /copy to/);
  });

  test("rejects bodies that it does not understand", async () => {
    const { id } = await a.put(`${unique("copy")}/a.txt`);
    const wrong: readonly (readonly [body: unknown, message: RegExp])[] = [
      [{}, /`id`/],
      [{ id, ids: [id] }, /either/],
      [{ ids: [] }, /1 to 5000/],
      [{ ids: Array.from({ length: 5001 }, (_, at) => `${at}`) }, /1 to 5000/],
      [{ ids: [id], name: "b.txt" }, /one file/],
      [{ id, name: "b/c" }, /./],
      [{ id, onConflict: "overwrite" }, /keepBoth/],
    ];
    for (const [body, message] of wrong) await expectRefused(() => copyFiles(body), 400, message);
  });

  test("a file that is deleted or replaced during its copy is copied as it is at the end, or not at all", async () => {
    const folder = unique("copy");
    for (let round = 0; round < 10; round += 1) {
      const file = await a.put(`${folder}/${round}/a.bin`, new Uint8Array(200_000).fill(1));
      const to = await a.folder(`${folder}/${round}/to`);
      const change =
        round % 2 === 0
          ? a.json("DELETE", "/api/files", { id: file.id, trash: false })
          : a.upload([
              ...[field("folder", `${folder}/${round}`), field("onConflict", "replace")],
              filePart("a.bin", new Uint8Array(100_000).fill(2)),
            ]);
      const [answer] = await Promise.all([copyFiles({ id: file.id, folderId: to.id }), change]);
      if (answer.status !== 200) {
        expect([round % 2, answer.status]).toEqual([0, 404]);
        continue;
      }
      const [copy] = expectData(answer, filesData).files;
      const { bytes } = await a.get(`/${copy?.url}`);
      expect(bytes.length).toBe(copy?.size ?? -1);
      expect(new Set(bytes)).toEqual(new Set([bytes.length === 200_000 ? 1 : 2]));
    }
  });

  test("two copies to the same name at once: one gets it", async () => {
    const folder = unique("copy");
    const file = await a.put(`${folder}/a.txt`);
    const to = await a.folder(`${folder}/to`);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => copyFiles({ id: file.id, folderId: to.id })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await a.browse(to.key)).files).toHaveLength(1);
  });
});

describe("copying a folder", () => {
  test("copies everything in it under a free name", async () => {
    const base = unique("copy");
    await a.put(`${base}/p/a.txt`, "one", { visibility: "private" });
    await a.put(`${base}/p/deep/er/b.txt`, "four");
    await a.folder(`${base}/p/empty`);
    const { folder } = await a.browse(`${base}/p`);
    await expectRefused(() => copyFolder({ id: folder.id }), 409);
    const result = expectData(
      await copyFolder({ id: folder.id, onConflict: "keepBoth" }),
      copiedFolder,
    );
    expect(result).toMatchObject({ added: 2, replaced: 0, skipped: 0, bytes: 7 });
    expect(result.folder.key).toBe(`${base}/p (2)`);
    const shown = await a.browse(`${base}/p (2)`);
    expect(shown.files).toMatchObject([{ name: "a.txt", visibility: "private", size: 3 }]);
    expect(shown.folders.map(({ name }) => name)).toEqual(["deep", "empty"]);
    const [deep] = (await a.browse(`${base}/p (2)/deep/er`)).files;
    expect((await a.get(`/${deep?.url}`)).text).toBe("four");
  });

  test("copies into itself what was there before, and merges with an existing folder", async () => {
    const base = unique("copy");
    await a.put(`${base}/a.txt`, "1");
    const { folder } = await a.browse(base);
    const into = { id: folder.id, parentId: folder.id };
    expect(expectData(await copyFolder(into), copiedFolder)).toMatchObject({ added: 1 });
    expect((await a.browse(`${base}/${base}`)).folders).toEqual([]);
    const again = expectData(await copyFolder({ ...into, onConflict: "skip" }), copiedFolder);
    expect(again).toMatchObject({ added: 1, skipped: 1, bytes: 1 });
    expect((await a.browse(`${base}/${base}/${base}`)).files).toHaveLength(1);
  });

  test("refuses the root, unknown folders, and to replace itself", async () => {
    const base = unique("copy");
    await a.put(`${base}/a.txt`);
    const { folder } = await a.browse(base);
    const { folder: root } = await a.browse("");
    await expectRefused(() => copyFolder({ id: root.id }), 400, /root/);
    await expectRefused(() => copyFolder({ id: "nobody" }), 404);
    await expectRefused(() => copyFolder({ id: folder.id, parentId: "nowhere" }), 404, /copy to/);
    await expectRefused(() => copyFolder({ id: folder.id, onConflict: "replace" }), 409, /itself/);
    await expectRefused(() => copyFolder({ id: folder.id, name: ".." }), 400);
  });

  test("copies a thousand files while others upload and read", async () => {
    const base = unique("copy");
    const names = Array.from({ length: 250 }, (_, at) => `f${at}.txt`);
    for (const sub of ["a", "b/c", "b/d", "e"]) {
      for (let start = 0; start < names.length; start += 50) {
        const parts = names
          .slice(start, start + 50)
          .map((name) => filePart(name, `${sub}/${name}`));
        const target = field("folder", `${base}/${sub}`);
        expect((await a.upload([target, ...parts])).status).toBe(200);
      }
    }
    const { folder } = await a.browse(base);
    let isDone = false;
    const copy = copyFolder({ id: folder.id, onConflict: "keepBoth" }).finally(() => {
      isDone = true;
    });
    let uploads = 0;
    while (!isDone) {
      await a.put(`${base}-others/${uploads}.txt`);
      uploads += 1;
    }
    expect(expectData(await copy, copiedFolder)).toMatchObject({ added: 1000 });
    expect((await a.browse(`${base}-others`)).files).toHaveLength(uploads);
    const { files } = await a.browse(`${base} (2)/b/d`);
    expect(files).toHaveLength(250);
    const sample = files.at(7);
    expect((await a.get(`/${sample?.url}`)).text).toBe(`b/d/${sample?.name}`);
  }, 120_000);

  test("is one line in the activity log", async () => {
    const base = unique("copy");
    await a.put(`${base}/a.txt`, "123");
    const { folder } = await a.browse(base);
    await copyFolder({ id: folder.id, onConflict: "keepBoth" });
    const log = z.object({
      activity: z.array(z.looseObject({ subject: z.looseObject({ id: z.string() }) })),
      nextCursor: z.string().nullable(),
    });
    const events = async () => {
      const { activity } = expectData(await a.get("/api/activity?action=copyFolder"), log);
      return activity.filter(({ subject }) => subject.id === folder.id);
    };
    await eventually("the copy is in the log", async () => (await events()).length > 0);
    expect(await events()).toMatchObject([
      {
        action: "copyFolder",
        outcome: "done",
        subject: { kind: "folder", id: folder.id, key: base },
        detail: { files: 1, bytes: 3 },
      },
    ]);
  });
});
