import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { raw } from "./raw.ts";
import { fileData, filesData, folderData, signedData } from "./shapes.ts";
import { isOnDisk } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const hostile = [
  "my folder.txt",
  "a#b?c.png",
  "100%.txt",
  "a%2Fb.txt",
  "%2e%2e",
  "a+b.txt",
  "a&b=c;d.txt",
  'say "hi".txt',
  "it's.txt",
  "<svg onload=alert(1)>.html",
  "a*b|c:d.txt",
  "{id}.txt",
  "[a](b).md",
  "$HOME `id` ~.sh",
  "'; DROP TABLE files; --",
  "-rf",
  "...",
  "..a",
  ".hidden",
  "trailing. ",
  " leading",
  "CON",
  "__proto__",
  "constructor",
  "日本語のファイル.txt",
  "Ünïcödé.txt",
  "😀👩‍👩‍👧‍👦.gif",
  "שלום עולם.txt",
  "\u202egnp.exe",
  "a\u200bb.txt",
  "\ufeffbom.txt",
  "a\u2028c.txt",
  "ﬁ ligature.txt",
  `${"x".repeat(251)}.txt`,
  "文".repeat(85),
  "a;filename=b.txt",
  "a\u00a0b",
  "index.html?download=1",
  "files",
];

/** The file name that an RFC 6266 client reads from the header. */
function dispositionName(header: string): string {
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(header);
  if (extended?.[1] !== undefined) return decodeURIComponent(extended[1]);
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(header);
  if (quoted?.[1] !== undefined) return quoted[1].replace(/\\(.)/g, "$1");
  return /;\s*filename=([^;\s]+)/i.exec(header)?.[1] ?? "";
}

describe("a hostile name is stored and returned unchanged", () => {
  test.each(hostile)("%j", async (name) => {
    const folder = `${unique("names")}/${name}`;
    const file = await a.put(`${folder}/${name}`, name);
    expect(file).toMatchObject({ name, key: `${folder}/${name}` });

    const byName = await a.get(`/api/files?name=${encodeURIComponent(name)}&limit=1`);
    expect(expectData(byName, filesData).files[0]?.id).toBe(file.id);
    const byKey = await a.get(`/api/files?key=${encodeURIComponent(file.key)}`);
    expect(expectData(byKey, fileData).file).toEqual(file);
    const shown = await a.browse(folder);
    expect([shown.folder.name, shown.files[0]?.name]).toEqual([name, name]);

    const { href } = new URL(file.url, `${server.url}/`);
    expect(href).toBe(`${server.url}/${file.url}`);
    expect(file.url.split("/").slice(2).map(decodeURIComponent).join("/")).toBe(file.key);
    const hosted = await send(server, "GET", `/${file.url}`);
    expect([hosted.status, hosted.text]).toEqual([200, name.replace(/^\ufeff/, "")]);

    const { url } = expectData(
      await a.json("POST", "/api/files/sign", { key: file.key }),
      signedData,
    );
    expect((await send(server, "GET", `/${url}`)).status).toBe(200);
  });

  test.each(hostile)("%j in Content-Disposition", async (name) => {
    const file = await a.put(`${unique("names")}/${name}`, "x");
    for (const target of [`/api/files/download/${file.id}`, `/${file.url}?download=1`]) {
      const answer = await raw(server.port, "GET", target, { "API-Key": server.apiKey });
      expect(answer.status).toBe(200);
      const [header = "", ...more] = answer.all("content-disposition");
      expect(more).toEqual([]);
      expect(header).toMatch(/^attachment;[\x20-\x7e]*$/);
      expect(dispositionName(header)).toBe(name);
      if (!/^[\x20-\x7e]*$/.test(name)) {
        expect(header).toMatch(/filename="?[\x20-\x7e]/);
        expect(header).toMatch(/filename\*=UTF-8''/);
      }
    }
  });

  test.each(hostile)("%j after renaming a file and a folder", async (name) => {
    const file = await a.put(`${unique("names")}/plain/file`, "x");
    const renamed = expectData(
      await a.json("PUT", "/api/files", { id: file.id, name }),
      fileData,
    ).file;
    expect(renamed.name).toBe(name);
    const moved = expectData(
      await a.json("PUT", "/api/folders", { id: file.folderId, name }),
      folderData,
    ).folder;
    expect(moved.name).toBe(name);
    const after = await a.file(file.id);
    expect(after.key).toBe(`${moved.key}/${name}`);
    expect((await send(server, "GET", `/${after.url}`)).status).toBe(200);
  });
});

describe("the control characters U+0080 to U+009F", () => {
  const C1 = "a\u0085b";

  test("are refused in new names", async () => {
    const folder = unique("c1");
    const { id, folderId } = await a.put(`${folder}/plain`, "x");
    const answers = [
      await a.upload([field("folder", folder), filePart(C1, "x")]),
      await a.upload([field("folder", `${folder}/${C1}`), filePart("x", "x")]),
      await a.json("POST", "/api/folders", { folder: `${folder}/${C1}/inner` }),
      await a.json("PUT", "/api/files", { id, name: C1 }),
      await a.json("PUT", "/api/folders", { id: folderId, name: C1 }),
    ];
    for (const { status, text } of answers) {
      expect(status, text).toBe(400);
      expect(text).toContain("control characters");
    }
    expect((await a.browse(folder)).files.map(({ name }) => name)).toEqual(["plain"]);
  });

  test.skipIf(!isOnDisk)("stay in names that exist", async () => {
    const folder = unique("c1");
    const { id } = await a.put(`${folder}/plain`, "x");
    await server.stop();
    const catalog = new Database(join(server.dataPath, "catalog.sqlite"));
    catalog.run("update files set name = ? where id = ?", [C1, id]);
    catalog.close();
    await server.restart();
    const found = await a.get(`/api/files?key=${encodeURIComponent(`${folder}/${C1}`)}`);
    const { file } = expectData(found, fileData);
    expect(file).toMatchObject({ id, name: C1 });
    const changed = await a.json("PUT", "/api/files", { id, name: C1, visibility: "private" });
    expect(expectData(changed, fileData).file.visibility).toBe("private");
    const replaced = await a.upload([
      field("folder", folder),
      field("onConflict", "replace"),
      filePart(C1, "other"),
    ]);
    expect(replaced.status, replaced.text).toBe(200);
  });
});

test("url is percent-encoded as in the contract", async () => {
  const base = unique("names");
  const file = await a.put(`${base}/my folder/a#b?c.png`, "x");
  expect(file.url).toBe(`api/hosting/${base}/my%20folder/a%23b%3Fc.png`);
});
