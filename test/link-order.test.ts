import { afterAll, expect, test } from "bun:test";
import { Holdall } from "../sdk/src/holdall.ts";
import { startServer } from "./harness.ts";

const server = await startServer();
afterAll(() => server.discard());
const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });

async function pageAt(url: string): Promise<string> {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  expect(response.status).toBe(200);
  return response.text();
}

/** The first groups of all matches, each once. */
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, group = ""]) => decodeURIComponent(group))),
];

test("a shared folder has one natural order through its parts, and each file the next one of it", async () => {
  const numbers = Array.from({ length: 120 }, (_, at) => at + 1);
  const names = numbers.map((number) => `${number % 2 === 0 ? "page" : "PAGE"}${number}.txt`);
  for (const folder of ["Level 10", "level 9"]) await holdall.folders.create(`shared/${folder}`);
  for (const from of [60, 0]) {
    const part = names.slice(from, from + 60).toReversed();
    const files = part.map((name) => ({ content: new Blob([name]), name }));
    await holdall.files.uploadMany(files, { folder: "shared" });
  }
  const { folder } = await holdall.folders.browse({ key: "shared" }, { limit: 0 });
  const { url: path } = await holdall.links.create({ folderId: folder.id });
  const link = `${server.url}/${path}`;

  const first = await pageAt(`${link}/`);
  expect(found(first, /href="[^"]*\/(level[^"/]*)\/"/gi)).toEqual(["level 9", "Level 10"]);
  const [more = ""] = found(first, /href="[^"]*\?(after=[^"]*)"/g);
  const second = await pageAt(`${link}/?${more}`);
  const filesOf = (page: string) => found(page, /href="[^"]*\/([^"/]*)\?view=1"/g);
  expect(filesOf(first)).toEqual(names.slice(0, 96));
  expect(filesOf(second)).toEqual(names.slice(96));

  const page = await pageAt(`${link}/${names[9]}?view=1`);
  expect(found(page, /rel="prev" href="[^"]*\/([^"/]*)\?view=1"/g)).toEqual(names.slice(8, 9));
  expect(found(page, /rel="next" href="[^"]*\/([^"/]*)\?view=1"/g)).toEqual(names.slice(10, 11));
});
