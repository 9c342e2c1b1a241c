import { afterAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Holdall, type UploadOptions } from "../sdk/src/holdall.ts";
import { send, unique } from "./client.ts";
import { startServer } from "./harness.ts";

const server = await startServer();
afterAll(() => server.discard());
/** A restart may change the port. */
const files = () => new Holdall({ url: server.url, apiKey: server.apiKey }).files;

const SHIFT_JIS = Buffer.from('<meta charset="shift_jis"><title>\x8e\x8e</title>', "latin1");
const LATIN_1 = Buffer.from("Gr\xfc\xdfe", "latin1");

async function typeOf(url: string) {
  const answer = await send(server, "GET", `/${url}`);
  expect(answer.status).toBe(200);
  return answer.header("content-type");
}

async function upload(
  name: string,
  content: Uint8Array,
  { type = "", ...options }: UploadOptions & { readonly type?: string } = {},
) {
  const blob = new Blob([new Uint8Array(content)], { type });
  const file = await files().upload(blob, { folder: unique("charset"), ...options, name });
  if (file === undefined) throw new Error("The upload was skipped.");
  return file;
}

test.each([
  ["a.html", SHIFT_JIS, "text/html"],
  ["a.txt", LATIN_1, "text/plain"],
  ["a.txt", Buffer.from("Grüße"), "text/plain; charset=utf-8"],
  ["a.txt", Buffer.alloc(0), "text/plain; charset=utf-8"],
  ["a.csv", Buffer.from("a;b"), "text/csv; charset=utf-8"],
  ["a.json", LATIN_1, "application/json"],
])("%s is UTF-8 only if its content is", async (name, content, type) => {
  const { url } = await upload(name, content);
  for (let time = 0; time < 3; time += 1) expect(await typeOf(url)).toBe(type);
  expect((await send(server, "HEAD", `/${url}`)).header("content-type")).toBe(type);
});

test("what was found is remembered, and looked for again after a change", async () => {
  const folder = unique("charset");
  const file = await upload("a.txt", SHIFT_JIS, { folder });
  expect(await typeOf(file.url)).toBe("text/plain");
  await server.restart();
  expect(await typeOf(file.url)).toBe("text/plain");
  await upload("a.txt", Buffer.from("ü"), { folder, onConflict: "replace" });
  expect(await typeOf(file.url)).toBe("text/plain; charset=utf-8");
  const page = await upload("b.txt", Buffer.from("<meta charset=koi8-r>"));
  expect(await typeOf(page.url)).toBe("text/plain; charset=utf-8");
  const renamed = await files().rename(page.id, "b.html");
  expect(await typeOf(renamed.url)).toBe("text/html");
});

test("compressed texts are looked into", async () => {
  const metadata = { contentEncoding: "gzip" };
  const text = await upload("a.txt", gzipSync("Grüße"), { metadata });
  expect(await typeOf(text.url)).toBe("text/plain; charset=utf-8");
  const other = await upload("a.txt", gzipSync(LATIN_1), { metadata });
  expect(await typeOf(other.url)).toBe("text/plain");
});

test("a declared charset is kept, by renames, copies and versions too", async () => {
  const type = "text/plain; charset=windows-1251";
  const folder = unique("charset");
  const file = await upload("a.txt", LATIN_1, { folder, type });
  expect(await typeOf(file.url)).toBe(type);
  const renamed = await files().rename(file.id, "c.txt");
  expect(await typeOf(renamed.url)).toBe(type);
  const [copy] = await files().copy(file.id, { name: "d.txt" });
  expect(await typeOf(copy?.url ?? "")).toBe(type);
});

test("a resumable upload keeps a declared charset", async () => {
  const headers = { "API-Key": server.apiKey };
  const type = "text/plain; charset=koi8-r";
  const folder = unique("charset");
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const metadata = `filename ${base64("a.txt")},folder ${base64(folder)},filetype ${base64(type)}`;
  const created = await fetch(`${server.url}/api/uploads`, {
    method: "POST",
    headers: {
      ...headers,
      "Tus-Resumable": "1.0.0",
      "Upload-Length": "3",
      "Upload-Metadata": metadata,
      "Content-Type": "application/offset+octet-stream",
    },
    body: Buffer.from([0xc0, 0xc1, 0xc2]),
  });
  expect(created.status).toBe(201);
  const found = await files().getByKey(`${folder}/a.txt`);
  expect(await typeOf(found.url)).toBe(type);
});

test("SVG that is compressed is shown with its coding, and downloaded as it is", async () => {
  const svg = gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { id, url } = await upload("icon.svgz", svg);
  const shown = await send(server, "GET", `/${url}`);
  expect(shown.header("content-type")).toBe("image/svg+xml");
  expect(shown.header("content-encoding")).toBe("gzip");
  for (const path of [`/${url}?download=1`, `/api/files/download/${id}`]) {
    const saved = await send(server, "GET", path, { "API-Key": server.apiKey });
    expect(saved.header("content-encoding")).toBeNull();
    expect(Buffer.from(saved.bytes).equals(svg)).toBe(true);
  }
  const script = await upload("app.js.gz", gzipSync("1"));
  const sent = await send(server, "GET", `/${script.url}`);
  expect(sent.header("content-type")).toBe("application/gzip");
  expect(sent.header("content-encoding")).toBeNull();
});
