import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  CreateBucketCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Page } from "playwright-core";
import { type S3TestServer, startS3Server } from "../test/s3-api/s3-server.fixture.ts";
import { signForm } from "../test/s3-api/sign-request.ts";
import { closeVisits, visit } from "./browser.ts";
import type { S3Page } from "./s3-page.ts";

const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, "s3-page.ts")],
  target: "browser",
});
const script = await bundle.outputs[0]?.text();

declare global {
  interface Window {
    readonly s3Page: S3Page;
  }
}

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
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
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
  for (const Bucket of ["open", "ruled"]) await client.send(new CreateBucketCommand({ Bucket }));
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

async function openPage(): Promise<Page> {
  const { page } = await visit(`http://127.0.0.1:${site.port}`);
  await page.goto(`http://127.0.0.1:${site.port}/`);
  await page.waitForFunction(() => window.s3Page !== undefined);
  return page;
}

const optionsFor = (bucket: string) => ({
  endpoint: server.url,
  credentials: server.credentials,
  bucket,
});

test("a page of another origin uploads with a presigned URL, and reads the ETag", async () => {
  const page = await openPage();
  const object = { Bucket: "open", Key: "presigned.txt", ContentType: "text/plain" };
  const url = await getSignedUrl(client, new PutObjectCommand(object));
  const [status, etag] = await page.evaluate((to) => window.s3Page.put(to, "content"), url);
  expect([status, etag]).toEqual([200, '"9a0364b9e99bb480dd25e1f0284c8555"']);
});

test("a page of another origin uploads with a form", async () => {
  const page = await openPage();
  const fields = signForm(
    [["key", "form.txt"]],
    [{ key: "form.txt" }, { bucket: "open" }],
    server.credentials,
  );
  const status = await page.evaluate(([to, given]) => window.s3Page.postForm(to, given), [
    `${server.url}/open`,
    fields,
  ] as const);
  expect(status).toBe(204);
});

test("the AWS SDK in a page of another origin uploads in parts and reads the object", async () => {
  const page = await openPage();
  const length = await page.evaluate(
    (options) => window.s3Page.multipart(options),
    optionsFor("open"),
  );
  expect(length).toBe(10 * 1024 * 1024);
});

test("a page is refused by the rules of a bucket, until they allow its origin", async () => {
  const put = async () => {
    const page = await openPage();
    return page.evaluate((options) => window.s3Page.putObject(options), optionsFor("ruled"));
  };
  const rule = { AllowedMethods: ["PUT"], AllowedHeaders: ["*"] };
  const setOrigin = (origin: string) =>
    client.send(
      new PutBucketCorsCommand({
        Bucket: "ruled",
        CORSConfiguration: { CORSRules: [{ ...rule, AllowedOrigins: [origin] }] },
      }),
    );
  expect(await put()).toBeNull();
  await setOrigin("https://app.example.com");
  expect(await put()).toBe("TypeError");
  // The browser keeps the answer to a preflight, so the new rule is for a new visit.
  await setOrigin(`http://127.0.0.1:${site.port}`);
  expect(await put()).toBeNull();
});
