import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { z } from "zod";
import { Holdall, type UploadOptions } from "../sdk/src/holdall.ts";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { filePart, multipart } from "./multipart.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";
import { signForm } from "./s3-api/sign-request.ts";
import { trashApi } from "./trash-requests.ts";
import { append, locationOf } from "./upload-url.ts";

const server = await startS3Server({ KEEP_VERSIONS: "true" });
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
  ["a.js", LATIN_1, "text/javascript"],
  ["a.mjs", Buffer.from("'Grüße'"), "text/javascript; charset=utf-8"],
  ["a.css", LATIN_1, "text/css"],
  ["a.css", Buffer.from('@charset "koi8-r";'), "text/css"],
  ["a.css", Buffer.from("a {}"), "text/css; charset=utf-8"],
  ["a.json", LATIN_1, "application/json"],
  ["a.json", Buffer.from('"ü"'), "application/json"],
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

test("a script keeps its declared charset, whichever name of JavaScript declares it", async () => {
  const put = async (name: string, type: string, body: Buffer<ArrayBuffer>) => {
    const key = `${unique("charset")}/${name}`;
    const headers = { "API-Key": server.apiKey, "Content-Type": type };
    const url = `${server.url}/api/files/content?key=${key}`;
    expect((await fetch(url, { method: "PUT", headers, body })).status).toBe(201);
    return typeOf(`api/hosting/${key}`);
  };
  for (const type of ["application/javascript", "application/x-javascript", "text/javascript"]) {
    const declared = `${type}; charset=windows-1252`;
    expect(await put("a.js", declared, LATIN_1)).toBe("text/javascript; charset=windows-1252");
    // No extension says another type.
    expect(await put("script", declared, LATIN_1)).toBe(declared);
    expect(await put("script", type, Buffer.from("'ü'"))).toBe(`${type}; charset=utf-8`);
    expect(await put("script", type, LATIN_1)).toBe(type);
  }
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

describe("a declared charset stays with a text", () => {
  const ContentType = "text/plain; charset=koi8-r";
  const body = Buffer.from([0xc0, 0xc1, 0xc2]);
  let client: S3Client;
  afterAll(() => client.destroy());
  beforeAll(async () => {
    client = new S3Client({
      endpoint: server.url,
      credentials: server.credentials,
      region: "us-east-1",
      forcePathStyle: true,
      maxAttempts: 1,
    });
    await api(server).folder(bucket);
  });
  const t = trashApi(server);
  const bucket = unique("charset");
  const ofObject = async (Key: string) =>
    (await client.send(new HeadObjectCommand({ Bucket: bucket, Key }))).ContentType;
  const hostedType = async (key: string) =>
    (await api(server).get(`/api/hosting/${bucket}/${key}`)).header("content-type");
  const put = (Key: string) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: body, ContentType }));

  test("over S3: put, copy, multipart upload", async () => {
    await put("put.txt");
    const CopySource = `${bucket}/put.txt`;
    await client.send(new CopyObjectCommand({ Bucket: bucket, Key: "copy.txt", CopySource }));
    const crc = { Key: "sum.txt", CopySource, ChecksumAlgorithm: "CRC32" } as const;
    await client.send(new CopyObjectCommand({ Bucket: bucket, ...crc }));
    const upload = { Bucket: bucket, Key: "parts.txt" };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...upload, ContentType }),
    );
    const part = { ...upload, UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: body }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }));
    for (const key of ["put.txt", "copy.txt", "sum.txt", "parts.txt"]) {
      expect([await ofObject(key), await hostedType(key)]).toEqual([ContentType, ContentType]);
    }
    const replaced = {
      CopySource,
      MetadataDirective: "REPLACE",
      ContentType: "text/plain",
    } as const;
    await client.send(new CopyObjectCommand({ Bucket: bucket, Key: "new.txt", ...replaced }));
    expect([await ofObject("new.txt"), await hostedType("new.txt")]).toEqual([
      ...["text/plain", "text/plain"],
    ]);
  });

  test("from a form of S3", async () => {
    const fields = [
      ["key", "posted.txt"],
      ["Content-Type", ContentType],
    ] as const;
    const conditions = [{ bucket }, { key: "posted.txt" }, { "Content-Type": ContentType }];
    const signed = signForm(fields, conditions, server.credentials);
    const form = multipart([
      ...signed.map(([name, content]) => ({ name, content })),
      { ...filePart("f.txt", body), name: "file" },
    ]);
    const headers = { "Content-Type": form.contentType };
    expect((await send(server, "POST", `/${bucket}`, headers, form.bytes)).status).toBe(204);
    expect([await ofObject("posted.txt"), await hostedType("posted.txt")]).toEqual([
      ...[ContentType, ContentType],
    ]);
  });

  test("in a batch: from a form, and from an upload URL", async () => {
    const made = await api(server).json("POST", "/api/batches", { folder: bucket });
    const { url } = expectData(made, z.object({ url: z.string() }));
    const form = multipart([filePart("batch.txt", body, ContentType)]);
    const type = { "Content-Type": form.contentType };
    expect((await send(server, "POST", `/${url}/files`, type, form.bytes)).status).toBe(200);
    const upload = { name: "long.txt", size: body.length, contentType: ContentType };
    const path = locationOf(
      await send(
        server,
        "POST",
        `/${url}/uploads`,
        { "Content-Type": "application/json" },
        JSON.stringify(upload),
      ),
    );
    expect((await append(server, path, 0, body)).status).toBe(204);
    expect((await send(server, "POST", `/${url}/commit`)).status).toBe(200);
    for (const key of ["batch.txt", "long.txt"]) expect(await hostedType(key)).toBe(ContentType);
  });

  test("in a version, in the trash and in copies of a folder", async () => {
    const { id } = await upload("kept.txt", body, { folder: `${bucket}/from`, type: ContentType });
    await t.replace(`${bucket}/from`, "kept.txt", "new");
    expect(await hostedType("from/kept.txt")).toBe("text/plain; charset=utf-8");
    const [version] = await t.versions(id);
    const versionId = version?.id ?? "";
    expect((await t.content(versionId)).header("content-type")).toBe(ContentType);
    await t.restoreVersion(versionId);
    expect(await hostedType("from/kept.txt")).toBe(ContentType);
    await t.restore({ undoId: await t.trash({ ids: [id] }) });
    expect(await hostedType("from/kept.txt")).toBe(ContentType);
    const to = await api(server).folder(`${bucket}/to`);
    await files().copy(id, { folderId: to.id });
    expect(await hostedType("to/kept.txt")).toBe(ContentType);
  });
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

test.each([
  ["that was declared", "a.txt", "text/plain; charset=koi8-r", "\xc0\xc1", "юа"],
  [
    "that a page names",
    "a.html",
    "",
    '<meta charset="koi8-r">\xc0',
    "charset=&quot;koi8-r&quot;&gt;ю",
  ],
  [
    "of the content, if another was declared",
    "a.txt",
    "text/plain; charset=euc-jp",
    "\xe2\x82\xac",
    "€",
  ],
  [
    "of the content, if an unknown one was declared",
    "b.txt",
    "text/plain; charset=x",
    "\xc3\xbc",
    "ü",
  ],
])(
  "the page of a link shows a text in the encoding %s",
  async (_name, name, type, bytes, shown) => {
    const { id } = await upload(name, Buffer.from(bytes, "latin1"), { type });
    const { link } = expectData(
      await api(server).json("POST", "/api/links", { fileId: id }),
      z.object({ link: z.object({ url: z.string() }) }),
    );
    const page = await send(server, "GET", `/${link.url}`, { Accept: "text/html" });
    expect(page.status).toBe(200);
    // Markup is shown in colours.
    expect(page.text.replace(/<[^>]*>/g, "")).toContain(shown);
  },
);
