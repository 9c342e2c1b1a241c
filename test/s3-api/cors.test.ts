import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { api, send } from "../client.ts";
import { eventually } from "../expectations.ts";
import { freePort } from "../free-port.fixture.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { type Draft, formDraft } from "./sign-request.ts";
import { presignV2, signFormV2 } from "./sign-v2.ts";

const s3Port = await freePort();
const server = await startS3Server({ S3_PORT: String(s3Port) });
afterAll(() => server.discard());
const endpoint = `http://127.0.0.1:${s3Port}`;
const clientOf = (credentials = server.credentials) =>
  new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
const client = clientOf();
for (const Bucket of ["open", "ruled"]) await client.send(new CreateBucketCommand({ Bucket }));
await api(server).put("open/public.txt", "public", { visibility: "public" });
await api(server).put("ruled/public.txt", "public", { visibility: "public" });
await api(server).put("open/private.txt", "private", { visibility: "private" });

const ORIGIN = "https://app.example.com";

async function preflight(url: string, method = "PUT", headers = "", origin = ORIGIN) {
  const response = await fetch(url, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      ...(headers === "" ? {} : { "Access-Control-Request-Headers": headers }),
    },
  });
  const header = (name: string) => response.headers.get(`access-control-${name}`);
  return { status: response.status, text: await response.text(), header };
}

async function read(path: string, origin = ORIGIN): Promise<readonly [number, string | null]> {
  const { status, headers } = await fetch(`${endpoint}${path}`, { headers: { Origin: origin } });
  return [status, headers.get("access-control-allow-origin")];
}

test("a response names the methods as well, as in S3", async () => {
  const { headers } = await fetch(`${endpoint}/open/public.txt`, { headers: { Origin: ORIGIN } });
  expect(headers.get("access-control-allow-methods")).toBe("GET, PUT, HEAD, POST, DELETE");
});

const putRules = (rules: readonly Record<string, unknown>[], by = client) =>
  by.send(
    new PutBucketCorsCommand({
      Bucket: "ruled",
      CORSConfiguration: { CORSRules: rules.map((rule) => ({ ...RULE, ...rule })) },
    }),
  );
const RULE = { AllowedOrigins: [ORIGIN], AllowedMethods: ["GET"] };

describe("a bucket without rules", () => {
  test("allows every origin and any header that can be signed, never with credentials", async () => {
    const headers = "authorization,x-amz-date,x-amz-meta-own,content-md5,if-none-match";
    for (const method of ["GET", "PUT", "POST", "DELETE", "HEAD"]) {
      const { status, header } = await preflight(`${endpoint}/open/a.txt`, method, headers);
      expect([status, header("allow-origin")]).toEqual([200, "*"]);
      expect(header("allow-methods")).toContain(method);
      expect(header("allow-headers")?.replaceAll(" ", "")).toBe(headers);
      expect(header("allow-credentials")).toBeNull();
    }
    expect((await preflight(`${endpoint}/open/a.txt`, "PATCH")).status).toBe(403);
  });

  test("lets pages read responses, also errors, and opens nothing private", async () => {
    expect(await read("/open/public.txt")).toEqual([200, "*"]);
    expect(await read("/open/private.txt")).toEqual([403, "*"]);
    expect(await read("/missing/a.txt")).toEqual([403, "*"]);
    const { headers } = await fetch(`${endpoint}/open/public.txt`, { headers: { Origin: ORIGIN } });
    expect(headers.get("access-control-expose-headers")).toContain("ETag");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    const without = await fetch(`${endpoint}/open/private.txt`);
    expect(without.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("allows up to 100 headers", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `x-${at}`).join();
    expect((await preflight(`${endpoint}/open/a.txt`, "PUT", names(100))).status).toBe(200);
    expect((await preflight(`${endpoint}/open/a.txt`, "PUT", names(101))).status).toBe(403);
  });

  test("needs Origin and the method in a preflight", async () => {
    const { status } = await fetch(`${endpoint}/open/a.txt`, { method: "OPTIONS" });
    expect(status).toBe(400);
  });
});

describe("a preflight at the port of the site", () => {
  test("is known by x-amz- in its query or in the headers it asks for", async () => {
    const url = `${server.url}/open/a.txt`;
    for (const query of ["X-Amz-Signature=x", "AWSAccessKeyId=x", "x-id=1&X-Amz-Date=1"]) {
      expect((await preflight(`${url}?${query}`)).header("allow-origin")).toBe("*");
    }
    expect((await preflight(url, "PUT", "content-type,x-amz-date")).status).toBe(200);
    expect((await preflight(url, "PUT", "content-type")).status).toBe(404);
  });

  test("is the site's below /api, /auth and /mcp, whatever it asks for", async () => {
    for (const path of ["/api/files", "/api/keys", "/auth/session", "/mcp", "/api", "/auth/"]) {
      const url = `${server.url}${path}?X-Amz-Signature=x&X-Amz-Credential=x`;
      const { header, text } = await preflight(url, "DELETE", "x-amz-date,api-key");
      expect([path, header("allow-origin")]).toEqual([path, null]);
      expect(text).not.toContain("<Code>");
    }
    const files = await send(server, "GET", "/api/files", { Origin: ORIGIN });
    expect(files.header("access-control-allow-origin")).toBeNull();
  });
});

describe("rules of a bucket", () => {
  test("are stored, given back and removed, and the activity log has it", async () => {
    const rule = {
      ID: "app",
      AllowedOrigins: ["https://*.example.com", "http://localhost:5173"],
      AllowedMethods: ["GET", "PUT"],
      AllowedHeaders: ["content-type", "x-amz-*"],
      ExposeHeaders: ["ETag"],
      MaxAgeSeconds: 60,
    };
    await putRules([rule]);
    const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket: "ruled" }));
    expect(CORSRules).toEqual([rule]);
    const url = `${endpoint}/ruled/a.txt`;
    const allowed = await preflight(url, "PUT", "content-type,x-amz-date");
    expect([allowed.status, allowed.header("allow-origin")]).toEqual([200, ORIGIN]);
    expect(allowed.header("max-age")).toBe("60");
    expect(allowed.header("allow-credentials")).toBeNull();
    for (const [method, headers, origin] of [
      ["DELETE", "", ORIGIN],
      ["PUT", "authorization", ORIGIN],
      ["PUT", "", "https://example.com"],
      ["PUT", "", "https://app.example.com.evil.net"],
      ["PUT", "", "null"],
    ] as const) {
      const refused = await preflight(url, method, headers, origin);
      expect([origin, refused.status, refused.header("allow-origin")]).toEqual([origin, 403, null]);
    }
    expect(await read("/ruled/public.txt")).toEqual([200, ORIGIN]);
    expect(await read("/ruled/public.txt", "https://other.net")).toEqual([200, null]);
    await server.restart();
    expect(await read("/ruled/public.txt", "https://other.net")).toEqual([200, null]);
    await client.send(new DeleteBucketCorsCommand({ Bucket: "ruled" }));
    expect(await read("/ruled/public.txt", "https://other.net")).toEqual([200, "*"]);
    await expect(client.send(new GetBucketCorsCommand({ Bucket: "ruled" }))).rejects.toMatchObject({
      name: "NoSuchCORSConfiguration",
    });
    await eventually("both changes are recorded", async () => {
      const { text } = await api(server).get("/api/activity?action=changeFolder");
      return JSON.parse(text).data.activity.length >= 2;
    });
  });

  test.each([
    ["no rule", [], "MalformedXML"],
    ["no origin", [{ AllowedOrigins: [] }], "MalformedXML"],
    ["two wildcards", [{ AllowedOrigins: ["https://*.*.com"] }], "InvalidRequest"],
    ["an unknown method", [{ AllowedMethods: ["PATCH"] }], "InvalidRequest"],
    ["a header with a line break", [{ ExposeHeaders: ["a\nb"] }], "MalformedXML"],
    ["a header that is none", [{ ExposeHeaders: ["a:b"] }], "InvalidRequest"],
    ["a negative age", [{ MaxAgeSeconds: -1 }], "MalformedXML"],
    ["too many", Array.from({ length: 101 }, () => ({})), "MalformedXML"],
    [
      "too much text",
      [{ AllowedHeaders: Array<string>(100).fill("a".repeat(700)) }],
      "MalformedXML",
    ],
  ] as const)("with %s are refused, and nothing is stored", async (_, rules, name) => {
    await putRules([{}]);
    await expect(putRules(rules)).rejects.toMatchObject({ name });
    const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket: "ruled" }));
    expect(CORSRules).toEqual([RULE]);
  });

  test("are changed only by a key that may write to the whole bucket", async () => {
    await putRules([{}]);
    for (const key of [
      await createS3Key(server, { actions: ["list", "read", "delete"] }),
      await createS3Key(server, { folder: "ruled/inner", actions: ["list", "read", "write"] }),
      await createS3Key(server, { folder: "open", actions: ["list", "read", "write"] }),
    ]) {
      const by = clientOf(key);
      await expect(putRules([{ AllowedOrigins: ["*"] }], by)).rejects.toThrow();
      await expect(by.send(new DeleteBucketCorsCommand({ Bucket: "ruled" }))).rejects.toThrow();
    }
    const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket: "ruled" }));
    expect(CORSRules).toEqual([RULE]);
  });
});

test("with a weak secret in the environment, no origin is allowed before a bucket has rules", async () => {
  await client.send(new DeleteBucketCorsCommand({ Bucket: "ruled" }));
  await server.restart({
    INITIAL_S3_ACCESS_KEY: "minioadmin",
    INITIAL_S3_SECRET_KEY: "minioadmin",
  });
  expect(server.output()).toContain("INITIAL_S3_SECRET_KEY has fewer than 16");
  expect((await preflight(`${endpoint}/ruled/a.txt`)).status).toBe(403);
  expect(await read("/ruled/public.txt")).toEqual([200, null]);
  // Browsers send both without a preflight.
  for (const origin of [ORIGIN, "null"]) {
    expect(await sendForm(origin)).toBe(403);
    expect(await sendDelete(origin)).toBe(403);
  }
  expect((await fetch(`${endpoint}/ruled/public.txt`)).status).toBe(200);
  expect((await fetch(`${endpoint}/ruled/form.txt`)).status).toBe(403);
  await putRules([{ AllowedMethods: ["GET", "POST"] }]);
  expect(await read("/ruled/public.txt")).toEqual([200, ORIGIN]);
  expect(await sendForm(ORIGIN)).toBe(204);
  expect(await sendForm("https://other.example.com")).toBe(403);
  expect(await sendForm(undefined)).toBe(204);
  expect(await sendDelete(ORIGIN)).toBe(200);
});

const weak = { accessKeyId: "minioadmin", secretAccessKey: "minioadmin" };
const host = `127.0.0.1:${s3Port}`;

/** Sends a request as a web page does; undefined: as another client does. */
async function sendAs(origin: string | undefined, { path, query, headers, body }: Draft) {
  const { status } = await fetch(`${endpoint}${path}?${query}`, {
    method: "POST",
    headers: { ...headers, ...(origin === undefined ? {} : { Origin: origin }) },
    body: new Uint8Array(body),
  });
  return status;
}

function sendForm(origin: string | undefined): Promise<number> {
  const fields = [["key", "form.txt"]] as const;
  const signed = signFormV2(fields, [{ bucket: "ruled" }, { key: "form.txt" }], weak);
  return sendAs(origin, formDraft("/ruled", signed, "content", host));
}

function sendDelete(origin: string): Promise<number> {
  const text = "<Delete><Object><Key>public.txt</Key></Object></Delete>";
  const body = Buffer.from(text);
  const headers = { host, "content-md5": createHash("md5").update(body).digest("base64") };
  const draft = { method: "POST", path: "/ruled", query: "delete=", headers, body };
  return sendAs(origin, presignV2(draft, weak));
}
