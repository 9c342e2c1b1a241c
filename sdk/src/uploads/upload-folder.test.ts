import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { FolderProgress, Holdall } from "../holdall.ts";
import {
  failureOf,
  faultyClient,
  MEGABYTE,
  memoryStore,
  randomBytes,
  startUploadServer,
  useLocalFolder,
  writeLocal,
} from "./upload-test-setup.fixture.ts";

const { server, holdall, freshFolder } = await startUploadServer("batch");
const local = useLocalFolder();

/** The keys in a folder at any depth, relative to it, with their contents as text. */
async function treeAt(key: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  async function read(folder: string): Promise<void> {
    const { files, folders } = await holdall.folders.browse({ key: folder });
    for (const file of files) {
      const { response } = await holdall.files.download(file.id);
      tree[file.key.slice(key.length + 1)] = await response.text();
    }
    for (const { key: child } of folders) await read(child);
  }
  await read(key);
  return tree;
}

const exists = async (key: string): Promise<boolean> =>
  (await failureOf(holdall.folders.browse({ key }))) === undefined;

/** Writes 60 small files in 6 folders. Returns their contents by path. */
function writeTree(): Record<string, string> {
  const tree: Record<string, string> = {};
  for (let at = 0; at < 60; at += 1) tree[`d${at % 6}/f${at}.txt`] = `content ${at}`;
  for (const [path, content] of Object.entries(tree)) writeLocal(local(), path, content);
  return tree;
}

describe("a local folder", () => {
  test("appears with all files and folders, small files sharing requests", async () => {
    const tree = writeTree();
    writeLocal(local(), "large.bin", "x".repeat(2 * MEGABYTE));
    mkdirSync(join(local(), "empty/inner"), { recursive: true });
    const { client, requests, offsets, close } = await faultyClient(server, () => undefined);
    const folder = freshFolder();
    const progress: FolderProgress[] = [];
    const result = await client.files.uploadFolder(local(), {
      folder,
      resumableAbove: MEGABYTE,
      chunkSize: MEGABYTE,
      onProgress: (now) => progress.push(now),
    });
    await close();
    const bytes = Object.values(tree).join("").length + 2 * MEGABYTE;
    expect(result).toEqual({ folder, files: 61, bytes, added: 61, replaced: 0, skipped: 0 });
    const stored = await treeAt(folder);
    expect(Object.keys(stored)).toHaveLength(61);
    expect(stored).toMatchObject(tree);
    expect(await exists(`${folder}/empty/inner`)).toBe(true);
    expect(requests("POST", /\/files$/)).toHaveLength(6);
    expect(offsets()).toEqual([0, MEGABYTE]);
    expect(progress.at(-1)).toEqual({ loaded: bytes, total: bytes, files: 61, totalFiles: 61 });
  });

  test("is invisible until all of it is there", async () => {
    writeTree();
    const folder = freshFolder();
    let early = false;
    const { client, close } = await faultyClient(server, () => undefined);
    const looks: Promise<unknown>[] = [];
    await client.files.uploadFolder(local(), {
      folder,
      parallel: 1,
      onProgress: ({ files }) => {
        if (files === 50) {
          looks.push(
            exists(folder).then((found) => {
              early ||= found;
            }),
          );
        }
      },
    });
    await Promise.all(looks);
    await close();
    expect([early, await exists(folder)]).toEqual([false, true]);
  });

  test.each(["cut request", "reset before", "reset after", "500 after"] as const)(
    "survives every third request with %s",
    async (fault) => {
      const tree = writeTree();
      tree["large.bin"] = "y".repeat(3 * MEGABYTE);
      writeLocal(local(), "large.bin", tree["large.bin"]);
      const folder = freshFolder();
      const { client, close } = await faultyClient(server, (head, nth) =>
        nth % 3 === 1 && /^(?:POST|PATCH)/.test(head) ? fault : undefined,
      );
      const options = { folder, resumableAbove: MEGABYTE, chunkSize: MEGABYTE, parallel: 2 };
      const result = await client.files.uploadFolder(local(), options);
      await close();
      expect(result.files).toBe(61);
      expect(await treeAt(folder)).toEqual(tree);
    },
  );
});

test("waits for a server that is away for longer than the retries of a call", async () => {
  const tree = writeTree();
  const folder = freshFolder();
  let away = 0;
  const { client, close } = await faultyClient(server, (head) => {
    if (away === 0 && head.includes("/files HTTP")) {
      away = 1;
      return "reset after";
    }
    if (away === 0 || away > 6) return undefined;
    away += 1;
    return "reset before";
  });
  await client.files.uploadFolder(local(), { folder, parallel: 1 });
  await close();
  expect(away).toBe(7);
  expect(await treeAt(folder)).toEqual(tree);
});

describe("with a store", () => {
  /** Uploads until `files` files are complete, and stops. */
  async function pauseAfter(
    client: Holdall,
    files: number,
    options: Parameters<Holdall["files"]["uploadFolder"]>[1],
  ): Promise<void> {
    const abort = new AbortController();
    const failure = await failureOf(
      client.files.uploadFolder(local(), {
        ...options,
        parallel: 1,
        signal: abort.signal,
        onProgress: (now) => {
          if (now.files >= files) abort.abort(new Error("paused"));
        },
      }),
    );
    expect(failure).toMatchObject({ message: "paused" });
  }

  test("continues the batch where it ended, in another call", async () => {
    const tree = writeTree();
    const resume = memoryStore();
    const folder = freshFolder();
    const { client, requests, close } = await faultyClient(server, () => undefined);
    await pauseAfter(client, 30, { folder, resume });
    expect(requests("POST", /\/files$/)).toHaveLength(3);
    const { files } = await client.files.uploadFolder(local(), { folder, resume });
    await close();
    expect(files).toBe(60);
    expect(requests("POST", /\/files$/)).toHaveLength(6);
    expect(requests("POST", /\/api\/batches$/)).toHaveLength(1);
    expect(await treeAt(folder)).toEqual(tree);
    expect(resume.notes.size).toBe(0);
  });

  test("continues a large file within the batch where it ended", async () => {
    const content = "z".repeat(4 * MEGABYTE);
    writeLocal(local(), "large.bin", content);
    const resume = memoryStore();
    const folder = freshFolder();
    const { client, offsets, close } = await faultyClient(server, () => undefined);
    const abort = new AbortController();
    const options = { folder, resume, resumableAbove: MEGABYTE, chunkSize: MEGABYTE };
    await failureOf(
      client.files.uploadFolder(local(), {
        ...options,
        signal: abort.signal,
        onProgress: ({ loaded }) => {
          if (loaded > 2.5 * MEGABYTE) abort.abort();
        },
      }),
    );
    const before = offsets().length;
    await client.files.uploadFolder(local(), options);
    await close();
    expect(Math.min(...offsets().slice(before))).toBeGreaterThanOrEqual(2 * MEGABYTE);
    expect(await treeAt(folder)).toEqual({ "large.bin": content });
    expect(resume.notes.size).toBe(0);
  });

  test("never mixes versions: a changed or deleted file starts the batch again", async () => {
    const tree = writeTree();
    const resume = memoryStore();
    const folder = freshFolder();
    await pauseAfter(holdall, 60, { folder, resume });
    // The content is as long as before.
    tree["d0/f0.txt"] = "CONTENT 0";
    writeLocal(local(), "d0/f0.txt", "CONTENT 0");
    await pauseAfter(holdall, 60, { folder, resume });
    delete tree["d1/f1.txt"];
    unlinkSync(join(local(), "d1/f1.txt"));
    await holdall.files.uploadFolder(local(), { folder, resume });
    expect(await treeAt(folder)).toEqual(tree);
  });

  test("nor if another file with an older time is moved to the path", async () => {
    const tree = writeTree();
    const older = writeLocal(local(), "older.txt", "CONTENT 0");
    utimesSync(older, 1, 1);
    tree["older.txt"] = "CONTENT 0";
    const resume = memoryStore();
    const folder = freshFolder();
    await pauseAfter(holdall, 61, { folder, resume });
    renameSync(older, join(local(), "d0/f0.txt"));
    writeLocal(local(), "older.txt", "CONTENT 0");
    utimesSync(older, 1, 1);
    tree["d0/f0.txt"] = "CONTENT 0";
    await holdall.files.uploadFolder(local(), { folder, resume });
    expect(await treeAt(folder)).toEqual(tree);
  });

  test("nor if another folder with older files is moved to the path", async () => {
    const tree = { "d0/f.txt": "version 1", "d0/sub/f.txt": "version 1" };
    for (const path of Object.keys(tree)) writeLocal(local(), path, "version 0");
    for (const [path, content] of Object.entries(tree)) {
      writeLocal(local(), path.replace("d0", "next"), content);
    }
    const resume = memoryStore();
    const folder = freshFolder();
    await pauseAfter(holdall, 4, { folder, resume });
    renameSync(join(local(), "d0"), join(local(), "last"));
    renameSync(join(local(), "next"), join(local(), "d0"));
    renameSync(join(local(), "last"), join(local(), "next"));
    await holdall.files.uploadFolder(local(), { folder, resume });
    expect(await treeAt(folder)).toMatchObject(tree);
  });

  test.each(["deleted", "renamed", "smaller"])(
    "starts the batch again if a file whose upload is unfinished is %s",
    async (change) => {
      const large = writeLocal(local(), "large.bin", "z".repeat(4 * MEGABYTE));
      const resume = memoryStore();
      const folder = freshFolder();
      const abort = new AbortController();
      const options = { folder, resume, resumableAbove: MEGABYTE, chunkSize: MEGABYTE };
      const onProgress = ({ loaded }: FolderProgress): void => {
        if (loaded > 2.5 * MEGABYTE) abort.abort(new Error("paused"));
      };
      const paused = { ...options, onProgress, signal: abort.signal };
      expect(await failureOf(holdall.files.uploadFolder(local(), paused))).toEqual(
        new Error("paused"),
      );
      writeLocal(local(), "small.txt", "small");
      const tree: Record<string, string> = { "small.txt": "small" };
      if (change === "deleted") unlinkSync(large);
      if (change === "renamed") {
        renameSync(large, join(local(), "other.bin"));
        tree["other.bin"] = "z".repeat(4 * MEGABYTE);
      }
      if (change === "smaller") {
        writeLocal(local(), "large.bin", "tiny");
        tree["large.bin"] = "tiny";
      }
      await holdall.files.uploadFolder(local(), options);
      expect(await treeAt(folder)).toEqual(tree);
    },
  );

  test("a file that was only touched does not start the batch again", async () => {
    const tree = writeTree();
    const resume = memoryStore();
    const folder = freshFolder();
    const { client, requests, close } = await faultyClient(server, () => undefined);
    await pauseAfter(client, 60, { folder, resume });
    writeLocal(local(), "d0/f0.txt", tree["d0/f0.txt"] ?? "");
    await client.files.uploadFolder(local(), { folder, resume });
    await close();
    expect(requests("POST", /\/api\/batches$/)).toHaveLength(1);
  });

  test("a refused commit changes nothing, and is repeated by the next call", async () => {
    const tree = writeTree();
    const resume = memoryStore();
    const folder = freshFolder();
    const taken = await holdall.files.upload(randomBytes(3), {
      folder: `${folder}/d0`,
      name: "f0.txt",
    });
    const { client, requests, close } = await faultyClient(server, () => undefined);
    const refused = await failureOf(client.files.uploadFolder(local(), { folder, resume }));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("f0.txt") });
    expect(Object.keys(await treeAt(folder))).toEqual(["d0/f0.txt"]);
    await holdall.files.delete(taken.id);
    await client.files.uploadFolder(local(), { folder, resume });
    await close();
    expect(requests("POST", /\/files$/)).toHaveLength(6);
    expect(await treeAt(folder)).toEqual(tree);
  });

  test("a commit whose response was lost before the process ended is not done again", async () => {
    writeTree();
    const resume = memoryStore();
    const folder = freshFolder();
    const { client, heads, requests, close } = await faultyClient(server, () => undefined);
    await pauseAfter(client, 60, { folder, resume });
    const [note = "{}"] = resume.notes.values();
    await client.batches.commit(JSON.parse(note).url);
    heads.length = 0;
    const result = await client.files.uploadFolder(local(), { folder, resume });
    await close();
    expect(result).toMatchObject({ files: 60, added: 60 });
    expect(requests("POST", /./)).toEqual([]);
  });
});

test("names the file whose name the server refuses", async () => {
  writeTree();
  writeLocal(local(), "d1/back\\slash", "x");
  const refused = await failureOf(holdall.files.uploadFolder(local(), { folder: freshFolder() }));
  expect(refused).toMatchObject({
    status: 400,
    message: expect.stringContaining("d1/back\\slash: A name must be a single path segment"),
  });
});

test("without a store, a failed folder leaves nothing on the server", async () => {
  writeTree();
  const folder = freshFolder();
  await holdall.files.upload(randomBytes(3), { folder: `${folder}/d0`, name: "f0.txt" });
  const { client, heads, close } = await faultyClient(server, () => undefined);
  expect(await failureOf(client.files.uploadFolder(local(), { folder }))).toMatchObject({
    status: 409,
  });
  await close();
  const path = /^DELETE (\S+)/.exec(heads.at(-1) ?? "")?.[1];
  expect(await failureOf(holdall.batches.show(`${path}`))).toMatchObject({ status: 404 });
});

test("takes files from memory, with onConflict and visibility for all of them", async () => {
  const folder = freshFolder();
  const files = (text: string) => [
    { path: "index.html", content: new Blob([text], { type: "text/html" }) },
    { path: "assets/site.css", content: new TextEncoder().encode(text) },
  ];
  await holdall.files.uploadFolder(files("one"), { folder, visibility: "private" });
  const replaced = await holdall.files.uploadFolder(files("two"), {
    folder,
    onConflict: "replace",
  });
  expect(replaced).toMatchObject({ added: 0, replaced: 2 });
  expect(await treeAt(folder)).toEqual({ "index.html": "two", "assets/site.css": "two" });
  const { visibility } = await holdall.files.getByKey(`${folder}/index.html`);
  expect(visibility).toBe("private");
});
