import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../../test/harness.ts";
import { HoldallError } from "../connection/error.ts";
import { type FolderFile, itemPath, MAX_BATCH_FILES, readFolder } from "./folder-items.ts";

const local = temporaryFolder();
afterAll(() => removeFolder(local));

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: unknown) => (error instanceof HoldallError ? error.message : String(error)),
  );

test("reads a local folder, and reports symbolic links and empty folders", async () => {
  mkdirSync(join(local, "sub/empty"), { recursive: true });
  writeFileSync(join(local, "a.txt"), "a");
  writeFileSync(join(local, "sub/b.txt"), "bb");
  symlinkSync("/etc", join(local, "sub/link"));
  const skipped: string[] = [];
  const { items, emptyFolders } = await readFolder(local, (path, reason) =>
    skipped.push(`${path}: ${reason}`),
  );
  expect(items.map((item) => [itemPath(item), item.size])).toEqual([
    ["a.txt", 1],
    ["sub/b.txt", 2],
  ]);
  expect(emptyFolders).toEqual(["sub/empty"]);
  expect(skipped).toEqual(["sub/link: a symbolic link"]);
});

test.if(process.platform === "linux")("names a file whose name is not UTF-8", async () => {
  const folder = join(local, "bytes");
  mkdirSync(folder);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), "x");
  expect(await messageOf(readFolder(folder, () => {}))).toMatch(/bytes\/bad.* not UTF-8/);
});

test("takes files with paths, and cleans the paths", async () => {
  const { items } = await readFolder(
    [
      { path: "/assets//site.css", content: new Blob(["css"]) },
      new File(["x"], "index.html", { lastModified: 5 }),
    ],
    () => {},
  );
  expect(items).toMatchObject([
    { folder: "assets", name: "site.css", size: 3, modified: undefined },
    { folder: "", name: "index.html", size: 1, modified: 5 },
  ]);
});

test("refuses streams, empty paths, one path twice and too many files", async () => {
  const read = (files: FolderFile[]) => messageOf(readFolder(files, () => {}));
  const content = new Blob(["x"]);
  expect(await read([{ path: "a", content: content.stream() }])).toContain("a is a stream");
  expect(await read([{ path: "/", content }])).toContain("empty path");
  const decomposed = "e\u0301.txt";
  expect(
    await read([decomposed, decomposed.normalize("NFC")].map((path) => ({ path, content }))),
  ).toContain("Two files have the path");
  const many = Array.from({ length: MAX_BATCH_FILES + 1 }, (_, at) => ({ path: `${at}`, content }));
  expect(await read(many)).toContain("more than 10,000 files");
  expect(await messageOf(readFolder(join(local, "none"), () => {}))).toContain("cannot be read");
});
