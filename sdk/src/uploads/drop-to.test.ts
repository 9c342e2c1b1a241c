import { expect, test } from "bun:test";
import { dropTo } from "../holdall.ts";
import {
  failureOf,
  memoryStore,
  randomBytes,
  startUploadServer,
} from "./upload-test-setup.fixture.ts";

const { server, holdall, freshFolder } = await startUploadServer("drop");

async function dropLink(options: { password?: string; maxFiles?: number } = {}) {
  const folder = freshFolder();
  const { id } = await holdall.folders.create(folder);
  const { url } = await holdall.links.create({ folderId: id, kind: "drop", ...options });
  return { folder, url: `${server.url}/${url}` };
}

const namesIn = async (key: string): Promise<string[]> =>
  (await holdall.folders.browse({ key })).files.map(({ name }) => name).toSorted();

const file = (path: string, content: BlobPart = path) => ({ path, content: new Blob([content]) });

test("files arrive together in a folder of the sender's name, with numbers for repeated names", async () => {
  const { folder, url } = await dropLink();
  const large = randomBytes(3_000_000);
  const files = [file("a.txt"), file("a.txt", "other"), file("sub/b.bin", large)];
  const totals: number[] = [];
  const dropped = await dropTo(url, files, {
    name: "Ada",
    resumableAbove: 1_000_000,
    onProgress: ({ loaded }) => totals.push(loaded),
  });
  expect(dropped).toEqual({ files: 3, bytes: 3_000_010 });
  expect(totals.at(-1)).toBe(3_000_010);
  expect(await namesIn(`${folder}/Ada`)).toEqual(["a (2).txt", "a.txt"]);
  expect(await namesIn(`${folder}/Ada/sub`)).toEqual(["b.bin"]);
});

test("an aborted call leaves nothing, and with `resume` continues where it ended", async () => {
  const { folder, url } = await dropLink();
  const modified = Date.now() - 60_000;
  const files = Array.from({ length: 150 }, (_, at) => ({
    path: `${at}.txt`,
    content: new File([`file ${at}`], `${at}.txt`, { lastModified: modified }),
  }));
  const resume = memoryStore();
  const stop = new AbortController();
  const first = dropTo(url, files, {
    resume,
    signal: stop.signal,
    parallel: 1,
    onProgress: ({ files: complete }) => complete > 0 && stop.abort(new Error("stopped")),
  });
  expect(await failureOf(first)).toEqual(new Error("stopped"));
  expect((await holdall.folders.browse({ key: folder })).folders).toEqual([]);
  expect(resume.notes.size).toBe(1);

  let start: number | undefined;
  const { files: count } = await dropTo(url, files, {
    resume,
    onProgress: ({ files: complete }) => {
      start ??= complete;
    },
  });
  expect(start).toBeGreaterThan(0);
  expect(count).toBe(150);
  expect(resume.notes.size).toBe(0);
  expect((await holdall.folders.browse({ key: folder })).folders).toHaveLength(1);
});

test("the password of the link is needed", async () => {
  const { url } = await dropLink({ password: "harbour lights" });
  expect(await failureOf(dropTo(url, [file("a.txt")]))).toMatchObject({ status: 401 });
  const dropped = await dropTo(url, [file("a.txt")], { password: "harbour lights" });
  expect(dropped.files).toBe(1);
});

test("more than the link takes is refused, and nothing arrives", async () => {
  const { folder, url } = await dropLink({ maxFiles: 1 });
  const refused = await failureOf(dropTo(url, [file("a.txt"), file("b.txt")]));
  expect(refused).toMatchObject({ status: 413 });
  expect((await holdall.folders.browse({ key: folder })).folders).toEqual([]);
});

test.each([
  ["https://files.example.com/"],
  ["https://files.example.com/api/uploads/x"],
  ["https://files.example.com/s/"],
  ["https://files.example.com/s/a/b"],
])("%s is no link for sending files", async (url) => {
  expect(await failureOf(dropTo(url, [file("a.txt")]))).toBeInstanceOf(TypeError);
});
