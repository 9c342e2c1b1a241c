import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, startS3Server } from "../s3-api/s3-server.fixture.ts";
import {
  bytesOf,
  type Draft,
  type Fields,
  formDraft,
  presign,
  type Signing,
  signHeader,
} from "../s3-api/sign-request.ts";
import { presignV2, signFormV2, signHeaderV2 } from "../s3-api/sign-v2.ts";

const DOMAIN = "s3.example.com";
const SECRET = "private content of an object";
const server = await startS3Server({ S3_API_DOMAIN: DOMAIN });
afterAll(() => server.discard());
const a = api(server);
const host = `127.0.0.1:${server.port}`;
const full = server.credentials;
const secret = await a.put("vault/secret.txt", SECRET, { visibility: "private" });
await a.put("vault/inner/secret.txt", SECRET, { visibility: "private" });
await a.put("inner/secret.txt", "of another bucket", { visibility: "private" });
const another = await createS3Key(server, {});
const scoped = await createS3Key(server, { folder: "inner" });

const draft = (method = "GET", more: Partial<Draft> = {}): Draft => ({
  method,
  path: "/vault/secret.txt",
  query: "",
  headers: { host },
  body: Buffer.alloc(0),
  ...more,
});
const put = (headers: Readonly<Record<string, string>> = {}): Draft =>
  draft("PUT", {
    path: `/vault/${unique("v2")}.txt`,
    headers: { host, "content-type": "text/plain", ...headers },
    body: Buffer.from("content"),
  });
const send = (request: Draft, more: Fields = []) => rawRequest(server.port, bytesOf(request, more));

async function expectRefused(request: Draft, more: Fields = []): Promise<string> {
  const { status, text } = await send(request, more);
  expect([text, status >= 400 && status < 500]).toEqual([text, true]);
  expect(text).not.toContain(SECRET);
  expect(text).not.toMatch(/<Key>|<Bucket>|<ETag>/);
  const { visibility } = await a.file(secret.id);
  expect(visibility).toBe("private");
  return /<Code>(\w+)/.exec(text)?.[1] ?? "";
}

const signs: readonly (readonly [string, (request: Draft, by: Signing) => Draft])[] = [
  ["a header", (request, by) => signHeaderV2(request, by)],
  ["a query", (request, by) => presignV2(request, by)],
];

describe.each(signs)("Signature Version 2 in %s", (_, sign) => {
  test("works", async () => {
    expect((await send(sign(draft(), full))).text).toBe(SECRET);
    const overridden = draft("GET", { query: "response-content-type=text%2Fplain" });
    expect((await send(sign(overridden, full))).text).toBe(SECRET);
    for (const headers of [
      {},
      { "x-amz-meta-own": "a value", "x-amz-acl": "private" },
      { "x-amz-meta-a": "1", "x-amz-meta-a-b": "2", "x-amz-meta-a1": "3" },
    ]) {
      const answer = await send(sign(put(headers), full));
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
    }
    const list = draft("GET", { path: "/vault", query: "list-type=2&prefix=secret" });
    expect((await send(sign(list, full))).text).toContain("secret.txt");
    expect((await send(sign(draft("GET", { query: "acl" }), full))).status).toBe(200);
    expect((await send(sign(draft("GET", { query: "acl=" }), full))).status).toBe(200);
  });

  const changes: Readonly<Record<string, (request: Draft) => Draft>> = {
    "another method": (request) => ({ ...request, method: "DELETE" }),
    "HEAD for GET": (request) => ({ ...request, method: "POST" }),
    "another object": (request) => ({ ...request, path: "/vault/inner/secret.txt" }),
    "another bucket": (request) => ({ ...request, path: "/inner/secret.txt" }),
    "another object, by dot segments": (request) => ({
      ...request,
      path: "/vault/secret.txt/../inner/secret.txt",
    }),
    "the bucket": (request) => ({ ...request, path: "/vault" }),
    "all buckets": (request) => ({ ...request, path: "/" }),
    "a bucket as the host": (request) => ({
      ...request,
      headers: { ...request.headers, host: `vault.${DOMAIN}` },
    }),
    ...Object.fromEntries(
      ["acl", "acl=", "tagging", "uploads", "uploadId=x", "attributes", "versionId=null"]
        .concat("response-content-type=text/html", "%61cl", "partNumber=1", "retention")
        .map((parameter) => [
          `the parameter ${parameter}`,
          (request: Draft) => ({
            ...request,
            query: [...request.query.split("&").filter(Boolean), parameter].join("&"),
          }),
        ]),
    ),
    "an ACL in the query": (request) => ({
      ...request,
      query: [...request.query.split("&").filter(Boolean), "x-amz-acl=public-read"].join("&"),
    }),
    "an ACL in the query, in capitals": (request) => ({
      ...request,
      query: [...request.query.split("&").filter(Boolean), "X-Amz-Acl=public-read"].join("&"),
    }),
    ...Object.fromEntries(
      [
        ["x-amz-acl", "public-read"],
        ["x-amz-copy-source", "/inner/secret.txt"],
        ["x-amz-meta-added", "1"],
        ["x-amz-security-token", "token"],
        ["x-amz-date", new Date().toUTCString()],
        ["content-type", "text/html"],
        ["content-md5", "1B2M2Y8AsgTpgAmY7PhCfg=="],
      ].map(([name = "", value = ""]) => [
        `the header ${name}`,
        (request: Draft) => ({ ...request, headers: { ...request.headers, [name]: value } }),
      ]),
    ),
  };

  test.each(Object.entries(changes))("is refused with %s", async (name, change) => {
    const signed = sign(draft(), full);
    if (signed.query === "" && name.includes("in the query")) {
      // A header signs no headers in the query, so they mean nothing there.
      await send(change(signed));
      await send(change(sign(draft("PUT", { query: "acl" }), full)));
      expect((await a.file(secret.id)).visibility).toBe("private");
      return;
    }
    await expectRefused(change(signed));
    await expectRefused(change(sign(draft("PUT", { body: Buffer.from("forged") }), full)));
    expect((await send(sign(draft(), full))).text).toBe(SECRET);
  });

  test("is refused with the secret or the id of another key", async () => {
    for (const secretAccessKey of [another.secretAccessKey, scoped.secretAccessKey, "x"]) {
      const code = await expectRefused(sign(draft(), { ...full, secretAccessKey }));
      expect(code).toBe("SignatureDoesNotMatch");
    }
    const unknown = { ...full, accessKeyId: "f".repeat(32) };
    expect(await expectRefused(sign(draft(), unknown))).toBe("InvalidAccessKeyId");
    expect(await expectRefused(sign(draft(), scoped))).toBe("NoSuchBucket");
  });

  test("needs the action of the key", async () => {
    const reader = await createS3Key(server, { actions: ["list", "read"] });
    expect(await expectRefused(sign(put(), reader))).toBe("AccessDenied");
  });

  test("is refused with a session token, and with a second signature", async () => {
    const token = { host, "x-amz-security-token": "token" };
    expect(await expectRefused(sign(draft("GET", { headers: token }), full))).toBe("InvalidToken");
    const { authorization } = signHeader(draft(), full).headers;
    const signed = sign(draft(), full);
    await expectRefused(signed, [["authorization", authorization ?? ""]]);
    const { query } = presign(draft(), full);
    await expectRefused({ ...signed, query: [signed.query, query].filter(Boolean).join("&") });
  });

  test("is refused when a signature was cut off or is malformed", async () => {
    const cut = sign(draft(), full);
    const header = cut.headers.authorization;
    const code = await expectRefused({
      ...cut,
      query: cut.query.replace(/(?<=Signature=.{9}).*/, ""),
      headers:
        header === undefined
          ? cut.headers
          : { ...cut.headers, authorization: header.replace(/(?<=:.{9}).*/, "") },
    });
    expect(code).toBe("SignatureDoesNotMatch");
    for (const change of ["", "A", "x".repeat(64), "AAAAAAAAAAAAAAAAAAAAAAAAAAA="]) {
      const signed = sign(draft(), full);
      const { authorization = "" } = signed.headers;
      await expectRefused({
        ...signed,
        query: signed.query.replace(/(?<=Signature=).*/, change),
        headers:
          authorization === ""
            ? signed.headers
            : { ...signed.headers, authorization: authorization.replace(/(?<=:).*/, change) },
      });
    }
  });
});

test("a header is refused if its clock is off by more than 15 minutes, or without a date", async () => {
  for (const minutes of [-16, 16]) {
    const date = new Date(Date.now() + minutes * 60_000);
    expect(await expectRefused(signHeaderV2(draft(), { ...full, date }))).toBe(
      "RequestTimeTooSkewed",
    );
  }
  const { date: _, ...headers } = signHeaderV2(draft(), full).headers;
  await expectRefused({ ...draft(), headers });
});

test("a query is refused after it has expired, and with another expiry", async () => {
  const now = Math.floor(Date.now() / 1000);
  expect(await expectRefused(presignV2(draft(), full, now - 1))).toBe("AccessDenied");
  const signed = presignV2(draft(), full);
  for (const [pattern, text] of [
    [/Expires=\d+/, `Expires=${now + 9999}`],
    [/Expires=\d+/, "Expires=-1"],
    [/Expires=\d+/, "Expires=1e12"],
    [/Expires=\d+&/, ""],
    [/Expires=\d+/, `$&&Expires=${now + 9999}`],
    [/AWSAccessKeyId=\w+/, "$&&AWSAccessKeyId=x"],
    [/Signature=.*/, "$&&$&"],
  ] as const) {
    await expectRefused({ ...signed, query: signed.query.replace(pattern, text) });
  }
});

test("headers of a presigned URL count only as they were signed", async () => {
  const request = put({ "x-amz-acl": "private", "x-amz-meta-own": "1" });
  const signed = presignV2(request, full);
  for (const query of [
    signed.query.replace("x-amz-acl=private", "x-amz-acl=public-read"),
    signed.query.replace("x-amz-acl=private&", ""),
    signed.query.replace("x-amz-meta-own=1", "x-amz-meta-own=2"),
    signed.query.replace("content-type=text%2Fplain", "content-type=text%2Fhtml"),
    `${signed.query}&x-amz-acl=public-read`,
    `x-amz-acl=public-read&${signed.query}`,
  ]) {
    await expectRefused({ ...signed, query });
  }
  const withHeader = { ...signed, headers: { host, "x-amz-acl": "public-read" } };
  await expectRefused(withHeader);
  expect((await send(signed)).status).toBe(200);
});

test("the host names the bucket that is signed", async () => {
  const inHost = draft("GET", { path: "/inner/secret.txt", headers: { host: `vault.${DOMAIN}` } });
  const signed = signHeaderV2(inHost, full, "/vault/inner/secret.txt");
  expect((await send(signed)).text).toBe(SECRET);
  // It is the same resource in path style.
  const pathStyle = { ...signed, path: "/vault/inner/secret.txt" };
  expect((await send({ ...pathStyle, headers: { ...signed.headers, host } })).text).toBe(SECRET);
  // The path alone is that of another bucket.
  const other = signHeaderV2({ ...inHost, headers: { host } }, full);
  expect((await send(other)).text).toBe("of another bucket");
  await expectRefused({ ...other, headers: { ...other.headers, host: `vault.${DOMAIN}` } });
  await expectRefused({ ...signed, headers: { ...signed.headers, host } });
});

test("a bucket may be signed with a slash after it, as boto does", async () => {
  const list = draft("GET", { path: "/vault" });
  expect((await send(signHeaderV2(list, full, "/vault/"))).text).toContain("secret.txt");
  await expectRefused(signHeaderV2(draft(), full, "/vault/"));
  await expectRefused(signHeaderV2(draft("GET", { path: "/vaul" }), full, "/vault/"));
});

test("a hash of the body counts if there is one", async () => {
  const headers = { "x-amz-content-sha256": "0".repeat(64) };
  expect(await expectRefused(signHeaderV2(put(headers), full))).toBe("XAmzContentSHA256Mismatch");
  const chunks = { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" };
  expect(await expectRefused(signHeaderV2(put(chunks), full))).toBe("InvalidRequest");
});

describe("a form with a policy of Signature Version 2", () => {
  const conditions = [{ bucket: "vault" }, ["starts-with", "$key", "forms/"], { acl: "private" }];
  const fields = (): Fields => [
    ["key", `forms/${unique("form")}.txt`],
    ["acl", "private"],
  ];
  const signed = (by: Signing = full): Fields => signFormV2(fields(), conditions, by);
  const form = (given: Fields, path = "/vault") => formDraft(path, given, "content", host);

  test("works", async () => {
    const { status, text } = await send(form(signed()));
    expect([status, text]).toEqual([204, text]);
  });

  test.each([
    ["key", "elsewhere/form.txt"],
    ["acl", "public-read"],
    ["acl", undefined],
    ["signature", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="],
    ["signature", ""],
    ["signature", undefined],
    [
      "policy",
      Buffer.from('{"expiration":"2099-01-01T00:00:00Z","conditions":[]}').toString("base64"),
    ],
    ["policy", undefined],
    ["AWSAccessKeyId", another.accessKeyId],
    ["AWSAccessKeyId", undefined],
  ] as const)("is refused with %s: %p", async (name, value) => {
    const changed = signed().flatMap((field) =>
      field[0] !== name ? [field] : value === undefined ? [] : [[name, value] as const],
    );
    await expectRefused(form(changed));
  });

  test("is refused with a field that the policy does not cover, and in another bucket", async () => {
    await expectRefused(form([...signed(), ["x-amz-meta-own", "1"]]));
    await expectRefused(form([...signed(), ["x-amz-algorithm", "AWS4-HMAC-SHA256"]]));
    await expectRefused(form(signed(), "/inner"));
    await expectRefused(form(signed(scoped)));
    const past = new Date(Date.now() - 1000);
    await expectRefused(form(signFormV2(fields(), conditions, full, past)));
  });
});

test("is refused if it is turned off", async () => {
  await server.restart({ S3_SIGNATURE_V2: "false" });
  const other = `127.0.0.1:${server.port}`;
  const request = draft("GET", { headers: { host: other } });
  expect((await send(signHeader(request, full))).text).toBe(SECRET);
  for (const signed of [signHeaderV2(request, full), presignV2(request, full)]) {
    const { status, text } = await send(signed);
    expect([status, text]).toEqual([400, expect.stringContaining("AWS4-HMAC-SHA256")]);
  }
  const fields = signFormV2([["key", "f.txt"]], [{ bucket: "vault" }, { key: "f.txt" }], full);
  expect((await send(formDraft("/vault", fields, "content", other))).status).toBe(400);
});
