import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type S3TestServer, startS3Server } from "../test/s3-api/s3-server.fixture.ts";
import { presign, sha256 } from "../test/s3-api/sign-request.ts";
import { closeVisits, visit } from "./browser.ts";
import type { RequestToSign } from "./uppy-s3-page.ts";

const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, "uppy-s3-page.ts")],
  target: "browser",
});
const script = await bundle.outputs[0]?.text();
const Bucket = "uppy";

let server: S3TestServer;
let client: S3Client;
/** The site of the page: another origin. */
let site: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  server = await startS3Server();
  client = new S3Client({
    endpoint: server.url,
    credentials: server.credentials,
    region: "us-east-1",
    forcePathStyle: true,
  });
  await client.send(new CreateBucketCommand({ Bucket }));
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/page.js")
        ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>Site</title><script src=/page.js></script>", {
            headers: { "Content-Type": "text/html" },
          }),
  });
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

/** Signs as the site's server does. */
function sign({ method, key, uploadId, partNumber }: RequestToSign): string {
  const host = `127.0.0.1:${server.port}`;
  const query = [
    ...(partNumber === undefined ? [] : [`partNumber=${partNumber}`]),
    ...(uploadId === undefined ? [] : [`uploadId=${encodeURIComponent(uploadId)}`]),
    ...(method === "POST" && uploadId === undefined ? ["uploads="] : []),
  ].join("&");
  const path = `/${Bucket}/${encodeURIComponent(key)}`;
  const draft = { method, path, query, headers: { host }, body: Buffer.alloc(0) };
  return `http://${host}${path}?${presign(draft, server.credentials).query}`;
}

test.each([
  ["at once.mp4", 1_000_000, false],
  ["in parts.mp4", 12_000_000, true],
] as const)("Uppy stores %s from a page of another origin", async (name, size, isMultipart) => {
  const { page } = await visit(`http://127.0.0.1:${site.port}`);
  await page.exposeFunction("signRequest", sign);
  await page.goto(`http://127.0.0.1:${site.port}/`);
  await page.waitForFunction(() => window.uppyS3Page !== undefined);
  const failed = await page.evaluate((file) => window.uppyS3Page.upload(...file), [
    name,
    size,
    isMultipart,
  ] as const);
  expect(failed).toEqual([]);
  const found = await client.send(new HeadObjectCommand({ Bucket, Key: name }));
  expect(found.ContentLength).toBe(size);
  expect(found.ETag).toMatch(isMultipart ? /^"[0-9a-f]{32}-3"$/ : /^"[0-9a-f]{32}"$/);
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: name }));
  const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
  expect(sha256((await Body?.transformToByteArray()) ?? "")).toBe(sha256(bytes));
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads ?? []).toEqual([]);
});
