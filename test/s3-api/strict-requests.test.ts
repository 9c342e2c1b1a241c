import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, type Draft, formDraft, signForm, signHeader } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const host = `127.0.0.1:${server.port}`;
const PAST = "Wed, 01 Jan 2020 00:00:00 GMT";

interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(
  method: string,
  path: string,
  { query = "", headers = {}, body = "" }: Sent = {},
) {
  const draft: Draft = {
    method,
    path,
    query,
    body: Buffer.from(body),
    headers: { host, ...headers },
  };
  const answer = await rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
  return { ...answer, code: /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] };
}

async function newBucket(): Promise<string> {
  const bucket = unique("bucket");
  await send("PUT", `/${bucket}`);
  return `/${bucket}`;
}

const exists = async (path: string): Promise<boolean> => (await send("GET", path)).status === 200;

describe("an object", () => {
  test.each([
    { "if-match": '"0123"' },
    { "if-match": '"*"' },
    { "x-amz-if-match-size": "999" },
    { "x-amz-if-match-last-modified-time": PAST },
    { "x-amz-if-match-size": "4", "x-amz-if-match-last-modified-time": PAST },
  ])("is not deleted unless it is as expected: %p", async (headers) => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, { body: "1234" });
    const refused = await send("DELETE", `${bucket}/a`, { headers });
    expect([refused.status, refused.code]).toEqual([412, "PreconditionFailed"]);
    expect(await exists(`${bucket}/a`)).toBe(true);
    expect((await send("DELETE", `${bucket}/absent`, { headers })).status).toBe(204);
  });

  test("is deleted if it is as expected", async () => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, { body: "1234" });
    const head = await send("HEAD", `${bucket}/a`);
    const headers = {
      "if-match": head.header("etag") ?? "",
      "x-amz-if-match-size": "4",
      "x-amz-if-match-last-modified-time": head.header("last-modified") ?? "",
    };
    expect((await send("DELETE", `${bucket}/a`, { headers })).status).toBe(204);
    expect(await exists(`${bucket}/a`)).toBe(false);
  });

  test.each([
    { "x-amz-if-match-size": "4 bytes" },
    { "x-amz-if-match-last-modified-time": "yesterday" },
  ])("is not deleted with a condition that cannot be read: %p", async (headers) => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, { body: "1234" });
    expect((await send("DELETE", `${bucket}/a`, { headers })).status).toBe(400);
    expect(await exists(`${bucket}/a`)).toBe(true);
  });

  test("is deleted from a list only if it is as expected, without an effect on the others", async () => {
    const bucket = await newBucket();
    for (const key of ["a", "b", "c", "d", "e"])
      await send("PUT", `${bucket}/${key}`, { body: key });
    const body = `<Delete><Object><Key>a</Key></Object>
      <Object><Key>b</Key><ETag>"abc"</ETag></Object>
      <Object><Key>c</Key><Size>2</Size></Object>
      <Object><Key>d</Key><LastModifiedTime>2020-01-01T00:00:00Z</LastModifiedTime></Object>
      <Object><Key>e</Key><Size>1</Size></Object></Delete>`;
    const { status, text } = await send("POST", bucket, { query: "delete=", body });
    expect(status).toBe(200);
    const keysOf = (element: string) =>
      [...text.matchAll(new RegExp(`<${element}><Key>(\\w)</Key>`, "g"))].map(([, key]) => key);
    expect(keysOf("Deleted")).toEqual(["a", "e"]);
    expect(keysOf("Error")).toEqual(["b", "c", "d"]);
    expect(text).toContain("<Code>PreconditionFailed</Code>");
    expect([await exists(`${bucket}/b`), await exists(`${bucket}/a`)]).toEqual([true, false]);
  });
});

describe("what the server does not understand is refused", () => {
  const refusals: readonly (readonly [method: string, path: string, sent: Sent])[] = [
    ["DELETE", "/a", { query: "unknown=" }],
    ["DELETE", "/a", { query: "dryRun=true" }],
    ["DELETE", "/a", { query: "x-dry-run=true" }],
    ["DELETE", "/a", { headers: { "x-dry-run": "true" } }],
    ["DELETE", "/a", { headers: { "dry-run": "1" } }],
    ["DELETE", "/a", { headers: { "x-amz-dryrun": "yes" } }],
    ["DELETE", "", { headers: { "x-dry-run": "true" } }],
    ["DELETE", "/a", { query: "x-amz-if-match-size=999" }],
    ["DELETE", "/a", { query: "versionId=null&annotation=x" }],
    ["DELETE", "/a", { headers: { "if-none-match": "*" } }],
    ["DELETE", "/a", { headers: { "if-unmodified-since": PAST } }],
    // Only features are turned off by "false".
    ["DELETE", "/a", { headers: { "if-none-match": "false" } }],
    ["DELETE", "/a", { headers: { "x-goog-if-generation-match": "1" } }],
    ["PUT", "/a", { headers: { "if-unmodified-since": "false" }, body: "other" }],
    ["PUT", "/a", { headers: { "x-amz-if-match-size": "false" }, body: "other" }],
    ["DELETE", "/a", { headers: { "x-amz-if-match-colour": "red" } }],
    ["DELETE", "", { query: "unknown=" }],
    ["DELETE", "", { headers: { "if-match": '"1"' } }],
    ["PUT", "/a", { query: "encryption=", body: "other" }],
    ["PUT", "/a", { query: "dryRun=true", body: "other" }],
    ["PUT", "/a", { headers: { "x-dry-run": "true" }, body: "other" }],
    [
      "POST",
      "",
      {
        query: "delete=",
        body: "<Delete><Object><Key>a</Key></Object></Delete>",
        headers: { "x-dry-run": "true" },
      },
    ],
    ["PUT", "/a", { headers: { "if-unmodified-since": PAST }, body: "other" }],
    ["PUT", "/a", { headers: { "x-amz-if-match-size": "9" }, body: "other" }],
    ["PUT", "/a", { headers: { "x-amz-server-side-encryption": "AES256" }, body: "other" }],
    ["PUT", "/a", { query: "acl=", headers: { "x-amz-acl": "public-read", "if-match": '"1"' } }],
    ["PUT", "/a", { headers: { "x-amz-copy-source": "SELF/b", "x-amz-copy-source-if-size": "9" } }],
    [
      "POST",
      "",
      { query: "delete=&dryRun=true", body: "<Delete><Object><Key>a</Key></Object></Delete>" },
    ],
    [
      "POST",
      "",
      { query: "delete=&unknown=", body: "<Delete><Object><Key>a</Key></Object></Delete>" },
    ],
    [
      "POST",
      "",
      {
        query: "delete=",
        body: "<Delete><Object><Key>a</Key></Object></Delete>",
        headers: { "if-match": '"1"' },
      },
    ],
  ];

  test.each(refusals)("%s %s %p", async (method, path, sent) => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, { body: "1234" });
    const headers = Object.entries(sent.headers ?? {}).map(([name, value]) => [
      ...[name, value.replace("SELF", bucket)],
    ]);
    const { status, code } = await send(method, `${bucket}${path}`, {
      ...sent,
      headers: Object.fromEntries(headers),
    });
    expect([status, code]).toEqual([501, "NotImplemented"]);
    expect((await send("GET", `${bucket}/a`)).text).toBe("1234");
  });

  test("harmless headers and a client's own parameters are not", async () => {
    const bucket = await newBucket();
    const headers = {
      "x-amz-user-agent": "tests",
      "x-amz-request-payer": "requester",
      "x-amz-expected-bucket-owner": "holdall",
      "x-amz-checksum-mode": "ENABLED",
      "x-amz-mfa": "1 2",
      "x-amz-server-side-encryption-bucket-key-enabled": "false",
    };
    const put = await send("PUT", `${bucket}/a`, { query: "x-id=PutObject&x-ours=1", headers });
    expect(put.status).toBe(200);
    expect((await send("GET", `${bucket}/a`, { headers, query: "cache=1" })).status).toBe(200);
    expect((await send("DELETE", `${bucket}/a`, { headers })).status).toBe(204);
  });

  test.each([
    ["if-none-match", "*", 501],
    ["x-amz-copy-source", "bucket/a", 501],
    ["x-amz-object-lock-mode", "GOVERNANCE", 400],
    ["x-amz-tagging", "a=1", 501],
    ["x-dry-run", "true", 501],
    ["dryRun", "true", 501],
  ] as const)("the field %s of a form", async (name, value, refused) => {
    const bucket = await newBucket();
    const conditions = [{ bucket: bucket.slice(1) }, { key: "a" }, { [name]: value }];
    const fields = signForm(
      [
        ["key", "a"],
        [name, value],
      ],
      conditions,
      server.credentials,
    );
    const { status } = await rawRequest(
      server.port,
      bytesOf(formDraft(bucket, fields, "content", host)),
    );
    expect(status).toBe(refused);
    expect(await exists(`${bucket}/a`)).toBe(false);
  });

  test("a compressed form gets the reason", async () => {
    const bucket = await newBucket();
    const conditions = [{ bucket: bucket.slice(1) }, { key: "a" }];
    const fields = signForm([["key", "a"]], conditions, server.credentials);
    const draft = formDraft(bucket, fields, "content", host);
    const answer = await rawRequest(
      server.port,
      bytesOf({ ...draft, body: gzipSync(draft.body) }, [["content-encoding", "gzip"]]),
    );
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("send it uncompressed"),
    ]);
  });
});

test("a copy with a condition on its source that does not hold, or cannot be read, does nothing", async () => {
  const bucket = await newBucket();
  await send("PUT", `${bucket}/a`, { body: "1234" });
  await send("PUT", `${bucket}/b`, { body: "old" });
  for (const [name, value, status] of [
    ["if-match", '"other"', 412],
    ["if-none-match", "*", 412],
    ["if-unmodified-since", PAST, 412],
    ["if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT", 412],
    ["if-unmodified-since", "yesterday", 400],
  ] as const) {
    const headers = { "x-amz-copy-source": `${bucket}/a`, [`x-amz-copy-source-${name}`]: value };
    expect((await send("PUT", `${bucket}/b`, { headers })).status).toBe(status);
  }
  expect((await send("GET", `${bucket}/b`)).text).toBe("old");
});

test("an upload is aborted only if it was begun when the client says", async () => {
  const bucket = await newBucket();
  const { text } = await send("POST", `${bucket}/a`, { query: "uploads=" });
  const query = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(text)?.[1] ?? ""}`;
  const wrong = { "x-amz-if-match-initiated-time": PAST };
  expect((await send("DELETE", `${bucket}/a`, { query, headers: wrong })).status).toBe(412);
  const listed = (await send("GET", bucket, { query: "uploads=" })).text;
  const initiated = /<Initiated>(.*)<\/Initiated>/.exec(listed)?.[1] ?? "";
  const right = { "x-amz-if-match-initiated-time": new Date(initiated).toUTCString() };
  expect((await send("DELETE", `${bucket}/a`, { query, headers: right })).status).toBe(204);
});

test("a folder is made on conditions as an object is", async () => {
  const bucket = await newBucket();
  const put = async (headers: Record<string, string>) =>
    (await send("PUT", `${bucket}/f/`, { headers })).status;
  expect(await put({ "if-match": "*" })).toBe(404);
  expect(await put({ "if-none-match": "*" })).toBe(200);
  expect(await put({ "if-none-match": "*" })).toBe(412);
  expect(await put({ "if-match": "*" })).toBe(200);
});

test("removing what was never set is no error", async () => {
  const bucket = await newBucket();
  await send("PUT", `${bucket}/a`, { body: "1" });
  for (const name of ["policy", "lifecycle", "cors", "tagging", "website", "encryption"]) {
    expect((await send("DELETE", bucket, { query: `${name}=` })).status).toBe(204);
  }
  expect((await send("DELETE", `${bucket}/a`, { query: "tagging=" })).status).toBe(204);
  expect((await send("DELETE", `${bucket}/b`, { query: "tagging=" })).status).toBe(404);
  expect((await send("DELETE", unique("/none"), { query: "policy=" })).code).toBe("NoSuchBucket");
  expect(await exists(`${bucket}/a`)).toBe(true);
});
