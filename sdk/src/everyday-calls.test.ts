import { afterAll, expect, test } from "bun:test";
import { startServer } from "../../test/harness.ts";
import { Holdall } from "./holdall.ts";
import { uploadTo } from "./upload-only.ts";

const server = await startServer();
afterAll(() => server.discard());
const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
const file = new File(["content"], "a.jpg");
const contentOf = async (key: string) => (await holdall.files.download({ key })).response.text();

/*
 * Each everyday task of a program takes one statement, without an id and without a lookup, as with `@vercel/blob` and
 * `@supabase/storage-js`.
 */

test("puts a file at a key, again and again", async () => {
  await holdall.files.put("photos/a.jpg", file);
  await holdall.files.put("photos/a.jpg", "other content");
  expect(await contentOf("photos/a.jpg")).toBe("other content");
});

test("deletes by key", async () => {
  await holdall.files.put("photos/gone.jpg", file);
  await holdall.files.delete({ key: "photos/gone.jpg" });
  expect(await holdall.files.exists("photos/gone.jpg")).toBe(false);
});

test("moves and copies from key to key, into folders that do not exist yet", async () => {
  await holdall.files.put("photos/from.jpg", file);
  await holdall.files.copy({ key: "photos/from.jpg" }, "copies/2026/to.jpg");
  await holdall.files.move({ key: "photos/from.jpg" }, "archive/2026/to.jpg");
  expect(await contentOf("copies/2026/to.jpg")).toBe("content");
  expect(await contentOf("archive/2026/to.jpg")).toBe("content");
  expect(await holdall.files.exists("photos/from.jpg")).toBe(false);
});

test("signs a link for a minute by key", async () => {
  await holdall.files.put("photos/secret.jpg", file, { visibility: "private" });
  const { url } = await holdall.files.sign({ key: "photos/secret.jpg" }, { expiresIn: 60 });
  expect(await (await fetch(url)).text()).toBe("content");
});

test("lets a browser without a key upload, with one statement on each side", async () => {
  const { url } = await holdall.uploads.create({ folder: "inbox" });
  await uploadTo(url, file);
  expect(await contentOf("inbox/a.jpg")).toBe("content");
});
