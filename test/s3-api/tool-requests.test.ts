import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, signHeader } from "./sign-request.ts";

/*
 * The requests that tools send about a bucket before or after their own work, as their published sources have
 * them: minio/mc (cmd/client-s3.go), hashicorp/terraform-provider-aws (internal/service/s3) and
 * aminueza/terraform-provider-minio (minio). The answers are those of S3 for a bucket without settings.
 */

const server = await startS3Server();
afterAll(() => server.discard());

async function send(method: string, path: string, query = "", body = "", headers = {}) {
  const md5 = createHash("md5").update(body).digest("base64");
  const draft = {
    ...{ method, path, query, body: Buffer.from(body) },
    headers: {
      host: `127.0.0.1:${server.port}`,
      ...(body === "" ? {} : { "content-md5": md5 }),
      ...headers,
    },
  };
  const answer = await rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
  return { ...answer, code: /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] ?? "" };
}

async function newBucket(): Promise<string> {
  const bucket = unique("bucket");
  expect((await send("PUT", `/${bucket}`)).status).toBe(200);
  return `/${bucket}`;
}

/** What a GET of the bucket with this query gets: a status, and the code or the root of the document. */
const reads: readonly (readonly [query: string, status: number, answer: string])[] = [
  ["location=", 200, "LocationConstraint"],
  ["versioning=", 200, "VersioningConfiguration"],
  ["acl=", 200, "AccessControlPolicy"],
  ["accelerate=", 200, "AccelerateConfiguration"],
  ["requestPayment=", 200, "RequestPaymentConfiguration"],
  ["logging=", 200, "BucketLoggingStatus"],
  ["notification=", 200, "NotificationConfiguration"],
  ["abac=", 200, "AbacStatus"],
  ["analytics=", 200, "ListBucketAnalyticsConfigurationResult"],
  ["intelligent-tiering=", 200, "ListBucketIntelligentTieringConfigurationsOutput"],
  ["inventory=", 200, "ListInventoryConfigurationsResult"],
  ["metrics=", 200, "ListMetricsConfigurationsResult"],
  ["id=a&metrics=", 404, "NoSuchConfiguration"],
  ["id=a&inventory=", 404, "NoSuchConfiguration"],
  ["policy=", 404, "NoSuchBucketPolicy"],
  ["policyStatus=", 404, "NoSuchBucketPolicy"],
  ["cors=", 404, "NoSuchCORSConfiguration"],
  ["website=", 404, "NoSuchWebsiteConfiguration"],
  ["lifecycle=", 404, "NoSuchLifecycleConfiguration"],
  ["replication=", 404, "ReplicationConfigurationNotFoundError"],
  ["encryption=", 404, "ServerSideEncryptionConfigurationNotFoundError"],
  ["object-lock=", 404, "ObjectLockConfigurationNotFoundError"],
  ["tagging=", 404, "NoSuchTagSet"],
  ["publicAccessBlock=", 404, "NoSuchPublicAccessBlockConfiguration"],
  ["ownershipControls=", 404, "OwnershipControlsNotFoundError"],
];

describe("GET of a new bucket", () => {
  test.each(reads)("?%s", async (query, status, answer) => {
    const bucket = await newBucket();
    const { text, ...found } = await send("GET", bucket, query);
    const root = /<\?xml[^>]*>\s*<(\w+)/.exec(text)?.[1];
    expect([found.status, status === 200 ? root : found.code]).toEqual([status, answer]);
    expect((await send("GET", `/${unique("none")}`, query)).code).toBe("NoSuchBucket");
  });
});

describe("PUT of a setting", () => {
  /** A document that changes nothing, one that does, and what it gets. */
  test.each([
    [
      "accelerate=",
      "<AccelerateConfiguration><Status>Suspended</Status></AccelerateConfiguration>",
      "<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>",
      501,
      "NotImplemented",
    ],
    [
      "logging=",
      "<BucketLoggingStatus/>",
      "<BucketLoggingStatus><LoggingEnabled><TargetBucket>logs</TargetBucket><TargetPrefix/></LoggingEnabled></BucketLoggingStatus>",
      501,
      "NotImplemented",
    ],
    [
      "notification=",
      "<NotificationConfiguration/>",
      "<NotificationConfiguration><QueueConfiguration><Queue>arn:minio:sqs::1:webhook</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration></NotificationConfiguration>",
      501,
      "NotImplemented",
    ],
    [
      "requestPayment=",
      "<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>",
      "<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>",
      501,
      "NotImplemented",
    ],
    [
      "website=",
      undefined,
      "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument></WebsiteConfiguration>",
      501,
      "NotImplemented",
    ],
    [
      "replication=",
      undefined,
      "<ReplicationConfiguration><Role>r</Role></ReplicationConfiguration>",
      400,
      "InvalidRequest",
    ],
    [
      "object-lock=",
      undefined,
      "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>",
      409,
      "InvalidBucketState",
    ],
  ] as const)("?%s", async (query, unset, set, status, code) => {
    const bucket = await newBucket();
    const before = await send("GET", bucket, query);
    if (unset !== undefined) expect((await send("PUT", bucket, query, unset)).status).toBe(200);
    const refused = await send("PUT", bucket, query, set);
    expect([refused.status, refused.code]).toEqual([status, code]);
    // A mistake in the request comes first.
    expect((await send("PUT", bucket, query, "<Other/>")).code).toBe("MalformedXML");
    expect((await send("PUT", bucket, query, set.slice(0, -3))).code).toBe("MalformedXML");
    expect((await send("PUT", `/${unique("none")}`, query, set)).code).toBe("NoSuchBucket");
    const after = await send("GET", bucket, query);
    expect([after.status, after.code]).toEqual([before.status, before.code]);
  });

  test("by an id is removed only if it exists", async () => {
    const bucket = await newBucket();
    for (const kind of ["analytics", "intelligent-tiering", "inventory", "metrics"]) {
      const { status, code } = await send("DELETE", bucket, `${kind}=&id=a`);
      expect([status, code]).toEqual([404, "NoSuchConfiguration"]);
    }
  });
});

describe("an object lock", () => {
  test("of an object gets what S3 says in a bucket without one", async () => {
    const bucket = await newBucket();
    await send("PUT", `${bucket}/a`, "", "1234");
    const retention =
      "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2030-01-01T00:00:00Z</RetainUntilDate></Retention>";
    const hold = "<LegalHold><Status>ON</Status></LegalHold>";
    const refused = [400, "InvalidRequest"];
    for (const [name, document] of [
      ["retention", retention],
      ["legal-hold", hold],
    ] as const) {
      for (const sent of [
        await send("GET", `${bucket}/a`, `${name}=`),
        await send("PUT", `${bucket}/a`, `${name}=`, document),
      ]) {
        expect([sent.status, sent.code]).toEqual(refused);
      }
      expect((await send("PUT", `${bucket}/a`, `${name}=`, "<Other/>")).code).toBe("MalformedXML");
      expect((await send("PUT", `${bucket}/b`, `${name}=`, document)).code).toBe("NoSuchKey");
    }
    expect((await send("GET", `${bucket}/a`)).text).toBe("1234");
  });

  test.each([{ "x-amz-object-lock-mode": "GOVERNANCE" }, { "x-amz-object-lock-legal-hold": "ON" }])(
    "of a new object: %p",
    async (headers) => {
      const bucket = await newBucket();
      const { status, code } = await send("PUT", `${bucket}/a`, "", "1234", headers);
      expect([status, code]).toEqual([400, "InvalidRequest"]);
      expect((await send("GET", `${bucket}/a`)).status).toBe(404);
    },
  );
});

test("an alias of mc is tested with a bucket that does not exist, and told from a wrong secret", async () => {
  const probe = `/probe-bsign-${unique("x")}`;
  expect((await send("GET", probe, "location=")).code).toBe("NoSuchBucket");
  expect((await send("HEAD", probe)).status).toBe(404);
});

test("mc mb, stat, cp and rm", async () => {
  const bucket = await newBucket();
  // `mc mb` again with `--ignore-existing`, in a region.
  const location =
    "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>";
  expect((await send("PUT", bucket, "", location)).status).toBe(200);
  // A folder with `mc mb BUCKET/folder`.
  expect((await send("PUT", `${bucket}/folder/`)).status).toBe(200);
  expect((await send("PUT", `${bucket}/folder/a`, "", "1234")).status).toBe(200);
  // `mc stat` of a folder looks for an object, then lists.
  const checksum = { "x-amz-checksum-mode": "ENABLED" };
  expect((await send("HEAD", `${bucket}/folder`, "", "", checksum)).status).toBe(404);
  const query =
    "delimiter=%2F&encoding-type=url&fetch-owner=true&list-type=2&max-keys=1&metadata=true";
  const listed = await send("GET", bucket, `${query}&prefix=folder%2F`);
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining("folder/a")]);
  const removal =
    '<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>folder/a</Key></Object></Delete>';
  expect((await send("POST", bucket, "delete=", removal)).status).toBe(200);
});

test("parts are completed with ETags in any quotes, and a refusal names the upload", async () => {
  const path = `${await newBucket()}/parts`;
  const { text } = await send("POST", path, "uploads=");
  const upload = /<UploadId>(.+)<\/UploadId>/.exec(text)?.[1] ?? "";
  const query = `uploadId=${upload}`;
  await send("PUT", path, `partNumber=1&${query}`, "one");
  const etag = createHash("md5").update("one").digest("hex");
  const complete = (...parts: readonly string[]) => {
    const listed = parts.map((part) => `<Part>${part}</Part>`).join("");
    return send(
      "POST",
      path,
      query,
      `<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`,
    );
  };
  const part = (number: number, tag: string) =>
    `<PartNumber>${number}</PartNumber><ETag>${tag}</ETag>`;
  for (const [code, parts] of [
    ["InvalidPart", [part(2, etag)]],
    ["InvalidPartOrder", [part(1, etag), part(1, etag)]],
  ] as const) {
    const refused = await complete(...parts);
    expect([refused.status, refused.code]).toEqual([400, code]);
    expect(refused.text).toContain(`<UploadId>${upload}</UploadId>`);
  }
  for (const tag of [`&quot;&quot;${etag}`, `&#34;${etag}&#34;`, etag, `"${etag.toUpperCase()}"`]) {
    expect([tag, (await complete(part(1, tag))).status]).toEqual([tag, 200]);
  }
});

test("the administration of MinIO is refused as a bucket that does not exist", async () => {
  for (const path of ["/minio/admin/v3/info", "/minio/admin/v3/datausageinfo"]) {
    const { status, code } = await send("GET", path);
    expect([status, code]).toEqual([404, "NoSuchBucket"]);
  }
});
