import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createChecksum } from "../../server/semantics/s3/create-checksum.ts";
import { headerValue } from "../../server/semantics/s3/header-text.ts";
import { uriEncode } from "../../server/semantics/s3-signature/uri-encode.ts";
import { api, unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, type S3Credentials, startS3Server } from "./s3-server.fixture.ts";
import {
  bytesOf,
  type Draft,
  formDraft,
  presign,
  type Signing,
  signForm,
  signHeader,
} from "./sign-request.ts";

/* What clients of S3 send that a client of ours would not. */

const server = await startS3Server();
afterAll(() => server.discard());
const host = `127.0.0.1:${server.port}`;

interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signing?: Partial<Signing>;
}

const draftOf = (method: string, path: string, sent: Sent = {}): Draft => ({
  method,
  path,
  query: sent.query ?? "",
  body: Buffer.from(sent.body ?? ""),
  headers: { host, ...sent.headers },
});

/** Headers are signed as text and sent in UTF-8, as the SDKs do. */
async function sendDraft(draft: Draft) {
  const headers = Object.entries(draft.headers).map(([name, value]) => [name, headerValue(value)]);
  const encoded = { ...draft, headers: Object.fromEntries(headers) };
  const answer = await rawRequest(server.port, bytesOf(encoded));
  return { ...answer, code: /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] };
}

const send = (method: string, path: string, sent: Sent = {}) =>
  sendDraft(signHeader(draftOf(method, path, sent), { ...server.credentials, ...sent.signing }));

async function newBucket(): Promise<string> {
  const bucket = unique("bucket");
  await send("PUT", `/${bucket}`);
  return `/${bucket}`;
}

describe("values that S3 does not interpret", () => {
  test.each([
    ["content-encoding", "base64"],
    ["content-encoding", "utf-8"],
    ["content-disposition", "attachment; filename=Übersicht 試.txt"],
    ["cache-control", "max-age = 3"],
    ["content-language", "en_US"],
    ["expires", "0"],
    ["x-amz-meta-title", "Übersicht 試 é"],
  ])("come back through S3 as they were: %s: %s", async (name, value) => {
    const bucket = await newBucket();
    const headers = { [name]: value, "x-amz-acl": "public-read" };
    expect((await send("PUT", `${bucket}/a.txt`, { headers, body: "x" })).status).toBe(200);
    const read = await send("GET", `${bucket}/a.txt`);
    expect([read.status, read.header(name)]).toEqual([200, headerValue(value)]);
    const hosted = await api(server).get(`/api/hosting${bucket}/a.txt`);
    expect(hosted.status).toBe(200);
    expect(hosted.header("content-encoding")).toBeNull();
    if (name === "content-disposition") {
      expect(hosted.header(name)).toStartWith("attachment;");
      expect(hosted.header(name)).toContain(encodeURIComponent("試"));
    }
    if (name === "cache-control") expect(hosted.header(name)).toBe("max-age=3");
  });
});

test("what to copy means nothing without a source", async () => {
  const bucket = await newBucket();
  const headers = { "x-amz-metadata-directive": "REPLACE", "x-amz-tagging-directive": "COPY" };
  for (const [method, path] of [
    ["PUT", "/a.txt"],
    ["PUT", "/folder/"],
  ] as const) {
    expect((await send(method, bucket + path, { headers })).status).toBe(200);
  }
  const begun = await send("POST", `${bucket}/b.txt`, { query: "uploads=", headers });
  expect(begun.status).toBe(200);
});

describe("parts", () => {
  const PART = Buffer.alloc(5 * 1024 ** 2, "part");
  const LAST = Buffer.from("the end");
  const sum = (algorithm: Parameters<typeof createChecksum>[0], bytes: Uint8Array): Buffer => {
    const checksum = createChecksum(algorithm);
    checksum.update(bytes);
    return Buffer.from(checksum.digest());
  };

  async function upload(algorithm: "CRC32" | "CRC32C" | "SHA1" | "SHA256") {
    const path = `${await newBucket()}/a`;
    const headers = { "x-amz-checksum-algorithm": algorithm };
    const { text } = await send("POST", path, { query: "uploads=", headers });
    const query = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(text)?.[1] ?? ""}`;
    const name = `x-amz-checksum-${algorithm.toLowerCase()}`;
    const sums = [PART, LAST].map((body) => sum(algorithm, body));
    let listed = "";
    for (const [at, body] of [PART, LAST].entries()) {
      const checksum = sums[at]?.toString("base64") ?? "";
      await send("PUT", path, {
        query: `partNumber=${at + 1}&${query}`,
        body,
        headers: { [name]: checksum },
      });
      const md5 = createHash("md5").update(body).digest("hex");
      listed += `<Part><PartNumber>${at + 1}</PartNumber><ETag>${md5}</ETag></Part>`;
    }
    const body = `<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`;
    const composite = sum(algorithm, Buffer.concat(sums)).toString("base64");
    const complete = (checksum: string) =>
      send("POST", path, { query, body, headers: { [name]: checksum } });
    return { path, name, sums, composite, complete };
  }

  test.each(["CRC32", "CRC32C", "SHA1", "SHA256"] as const)(
    "%s of the whole may lack the number of parts",
    async (algorithm) => {
      const { complete, composite } = await upload(algorithm);
      expect((await complete(`${composite}-3`)).code).toBe("BadDigest");
      const other = sum(algorithm, LAST).toString("base64");
      expect((await complete(other)).code).toBe("BadDigest");
      const { status, text } = await complete(composite);
      expect(status).toBe(200);
      expect(text).toContain(`<Checksum${algorithm}>${composite}-2<`);
    },
  );

  test("come with their own checksum, and the whole with that of the whole", async () => {
    const { path, name, sums, composite, complete } = await upload("SHA256");
    expect((await complete(`${composite}-2`)).status).toBe(200);
    const headers = { "x-amz-checksum-mode": "ENABLED" };
    for (const method of ["HEAD", "GET"]) {
      for (const number of [1, 2]) {
        const part = await send(method, path, { headers, query: `partNumber=${number}` });
        expect(part.status).toBe(206);
        expect(part.header(name)).toBe(sums[number - 1]?.toString("base64") ?? "");
        expect(part.header("x-amz-mp-parts-count")).toBe("2");
      }
      expect((await send(method, path, { headers })).header(name)).toBe(`${composite}-2`);
    }
  });

  test("without a checksum are not completed with one", async () => {
    const path = `${await newBucket()}/a`;
    const { text } = await send("POST", path, { query: "uploads=" });
    const query = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(text)?.[1] ?? ""}`;
    await send("PUT", path, { query: `partNumber=1&${query}`, body: LAST });
    const md5 = createHash("md5").update(LAST).digest("hex");
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${md5}</ETag></Part></CompleteMultipartUpload>`;
    const headers = { "x-amz-checksum-sha1": sum("SHA1", LAST).toString("base64") };
    expect((await send("POST", path, { query, body, headers })).code).toBe("InvalidRequest");
  });
});

test("HEAD and GET with a range describe the range, if If-Range is met", async () => {
  const bucket = await newBucket();
  const put = await send("PUT", `${bucket}/a`, { body: "0123456789" });
  for (const method of ["HEAD", "GET"]) {
    const part = await send(method, `${bucket}/a`, { headers: { range: "bytes=2-4" } });
    expect(part.status).toBe(206);
    expect(part.header("content-range")).toBe("bytes 2-4/10");
    expect(part.header("content-length")).toBe("3");
    const headers = { range: "bytes=2-4" };
    const current = { ...headers, "if-range": put.header("etag") ?? "" };
    expect((await send(method, `${bucket}/a`, { headers: current })).status).toBe(206);
    const other = { ...headers, "if-range": '"other"' };
    expect((await send(method, `${bucket}/a`, { headers: other })).status).toBe(200);
    const beyond = { range: "bytes=10-" };
    expect((await send(method, `${bucket}/a`, { headers: beyond })).status).toBe(416);
  }
});

test("a copy to a key that ends with a slash makes the folder, or does nothing", async () => {
  const bucket = await newBucket();
  await send("PUT", `${bucket}/f/`);
  await send("PUT", `${bucket}/empty`);
  await send("PUT", `${bucket}/full`, { body: "x" });
  const copy = (key: string, source: string) =>
    send("PUT", `${bucket}/${key}`, {
      headers: {
        "x-amz-copy-source": `${bucket}/${source}`,
        "x-amz-metadata-directive": "REPLACE",
        "x-amz-meta-mode": "16877",
      },
    });
  const onItself = await copy("f/", "f/");
  expect(onItself.status).toBe(200);
  expect(onItself.text).toContain("<CopyObjectResult");
  expect((await copy("copy", "f/")).status).toBe(400);
  expect((await copy("g/", "f/")).status).toBe(200);
  expect((await send("HEAD", `${bucket}/g/`)).header("content-type")).toBe(
    "application/x-directory",
  );
  expect((await copy("h/", "empty")).status).toBe(200);
  expect((await copy("i/", "full")).status).toBe(400);
  expect((await copy("j/", "absent/")).code).toBe("NoSuchKey");
});

test.each(["files.example.com", "eu central, 1", "a=b", "x".repeat(200)])(
  "signatures may be for the region %s",
  async (region) => {
    const bucket = await newBucket();
    const { status } = await send("PUT", `${bucket}/a`, { signing: { region }, body: "x" });
    expect(status).toBe(200);
    const signing = { ...server.credentials, region };
    expect((await sendDraft(presign(draftOf("GET", `${bucket}/a`), signing))).text).toBe("x");
  },
);

describe("a presigned URL", () => {
  /** Signs the headers, which the URL then has in its query instead. */
  function presignInQuery(path: string, headers: Record<string, string>): Draft {
    const query = Object.entries(headers)
      .map((pair) => pair.map(uriEncode).join("="))
      .join("&");
    const signed = presign(draftOf("PUT", path, { query, headers, body: "x" }), server.credentials);
    return { ...signed, headers: { host } };
  }

  test("may have signed headers in its query", async () => {
    const bucket = await newBucket();
    const headers = {
      "x-amz-acl": "public-read",
      "x-amz-meta-title": "Ü 試",
      "cache-control": "max-age=7",
      "content-type": "text/x-own",
    };
    const put = await sendDraft(presignInQuery(`${bucket}/a`, headers));
    expect([put.status, put.text]).toEqual([200, ""]);
    const read = await send("GET", `${bucket}/a`);
    expect(read.header("x-amz-meta-title")).toBe(headerValue("Ü 試"));
    expect(read.header("cache-control")).toBe("max-age=7");
    expect(read.header("content-type")).toBe("text/x-own");
    expect((await api(server).get(`/api/hosting${bucket}/a`)).status).toBe(200);
  });

  test("evaluates conditions in its query", async () => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, { body: "old" });
    const put = await sendDraft(presignInQuery(`${bucket}/a`, { "if-none-match": "*" }));
    expect(put.code).toBe("PreconditionFailed");
    expect((await send("GET", `${bucket}/a`)).text).toBe("old");
  });

  test("is refused if a signed header is changed in the query or given as another one", async () => {
    const bucket = await newBucket();
    const draft = presignInQuery(`${bucket}/a`, { "x-amz-acl": "private" });
    const changed = { ...draft, query: draft.query.replace("=private", "=public-read") };
    expect((await sendDraft(changed)).code).toBe("SignatureDoesNotMatch");
    const added = { ...draft, headers: { host, "x-amz-acl": "public-read" } };
    expect((await sendDraft(added)).code).toBe("SignatureDoesNotMatch");
  });
});

test("copy sources and signed headers are read as UTF-8", async () => {
  const bucket = await newBucket();
  const path = `${bucket}/${encodeURIComponent("Übersicht 試.txt")}`;
  await send("PUT", path, { body: "x", headers: { "x-amz-meta-a": "à é" } });
  const headers = { "x-amz-copy-source": `${bucket}/Übersicht 試.txt` };
  expect((await send("PUT", `${bucket}/copy`, { headers })).status).toBe(200);
  expect((await send("GET", `${bucket}/copy`)).text).toBe("x");
});

test("every field of a form may name the file", async () => {
  const bucket = await newBucket();
  const conditions = [
    { bucket: bucket.slice(1) },
    ["starts-with", "$key", "up/"],
    ["starts-with", "$success_action_redirect", "https://example.com/done?file="],
    ["starts-with", "$x-amz-meta-name", ""],
    { "x-amz-meta-word": "日本" },
  ];
  const fields = signForm(
    [
      ["key", `up/$\{filename}`],
      ["success_action_redirect", `https://example.com/done?file=$\{filename}`],
      ["x-amz-meta-name", `$\{filename}`],
      ["x-amz-meta-word", "日本"],
    ],
    conditions,
    server.credentials,
  );
  const posted = await sendDraft(formDraft(bucket, fields, "content", host));
  expect(posted.status).toBe(303);
  expect(posted.header("location")).toStartWith("https://example.com/done?file=f.txt&");
  const read = await send("GET", `${bucket}/up/f.txt`);
  expect([read.text, read.header("x-amz-meta-name")]).toEqual(["content", "f.txt"]);
  expect(read.header("x-amz-meta-word")).toBe(headerValue("日本"));
});

test("the policy of a form is compared with the fields that have the name of the file", async () => {
  const bucket = await newBucket();
  const post = (key: string, condition: unknown) =>
    sendDraft(
      formDraft(
        bucket,
        signForm([["key", key]], [{ bucket: bucket.slice(1) }, condition], server.credentials),
        "content",
        host,
      ),
    );
  const name = `$\{filename}`;
  expect((await post(name, ["starts-with", "$key", "f.t"])).status).toBe(204);
  expect((await send("GET", `${bucket}/f.txt`)).text).toBe("content");
  expect((await post(`up/${name}`, { key: "up/f.txt" })).status).toBe(204);
  for (const condition of [
    ["starts-with", "$key", "$"],
    { key: name },
    ["starts-with", "$key", "up/"],
  ]) {
    expect((await post(name, condition)).code).toBe("AccessDenied");
  }
});

test("storage classes are shown, those of archives as STANDARD, and unknown ones are refused", async () => {
  const bucket = await newBucket();
  const put = (key: string, value: string) =>
    send("PUT", `${bucket}/${key}`, { headers: { "x-amz-storage-class": value }, body: key });
  for (const value of ["STANDARD_IA", "STANDARD", "GLACIER"]) await put(value, value);
  expect((await put("a", "COLD")).code).toBe("InvalidStorageClass");
  const shown = async (key: string) =>
    (await send("HEAD", `${bucket}/${key}`)).header("x-amz-storage-class");
  expect(await shown("STANDARD_IA")).toBe("STANDARD_IA");
  expect(await shown("GLACIER")).toBeNull();
  const { text } = await send("GET", bucket, { query: "list-type=2" });
  const classes = [...text.matchAll(/<StorageClass>(\w+)</g)].map(([, value]) => value);
  expect(classes).toEqual(["STANDARD", "STANDARD", "STANDARD_IA"]);
  const headers = {
    "x-amz-copy-source": `${bucket}/STANDARD_IA`,
    "x-amz-storage-class": "STANDARD",
  };
  expect((await send("PUT", `${bucket}/STANDARD_IA`, { headers })).status).toBe(200);
  expect(await shown("STANDARD_IA")).toBeNull();
});

test("NextMarker is there only with a delimiter", async () => {
  const bucket = await newBucket();
  for (const key of ["a", "b"]) await send("PUT", `${bucket}/${key}`);
  const list = async (query: string) => (await send("GET", bucket, { query })).text;
  expect(await list("max-keys=1")).not.toContain("NextMarker");
  expect(await list("delimiter=%2F&max-keys=1")).toContain("<NextMarker>a</NextMarker>");
});

test("a key without `list` learns of its bucket what clients ask before they write", async () => {
  const bucket = await newBucket();
  await send("PUT", `${bucket}/in/a`, { body: "1" });
  const signing: S3Credentials = await createS3Key(server, {
    folder: `${bucket.slice(1)}/in`,
    actions: ["write"],
  });
  for (const query of ["location=", "versioning=", "acl="]) {
    expect((await send("GET", bucket, { query, signing })).status).toBe(200);
  }
  expect((await send("HEAD", bucket, { signing })).status).toBe(200);
  for (const query of ["list-type=2", "versions=", "uploads="]) {
    expect((await send("GET", bucket, { query, signing })).code).toBe("AccessDenied");
  }
  const { text } = await send("POST", `${bucket}/in/b`, { query: "uploads=", signing });
  const query = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(text)?.[1] ?? ""}`;
  expect((await send("GET", `${bucket}/in/b`, { query, signing })).status).toBe(200);
  const reader = await createS3Key(server, { actions: ["read"] });
  expect((await send("GET", `${bucket}/in/b`, { query, signing: reader })).code).toBe(
    "AccessDenied",
  );
});
