import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { unique } from "./client.ts";
import { type FaultName, startFaultProxy } from "./fault-proxy.ts";
import { run } from "./harness.ts";
import { isLongForm } from "./long-forms.fixture.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { sha256 } from "./s3-api/sign-request.ts";

/** Where an import dies, one after the other. */
const POINTS = isLongForm ? 20 : 6;

interface Address {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const clientAt = ({ endpoint, accessKeyId, secretAccessKey }: Address): S3Client =>
  new S3Client({
    endpoint,
    credentials: { accessKeyId, secretAccessKey },
    region: "us-east-1",
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });

let target: S3TestServer;
let holdall: S3Client;
beforeAll(async () => {
  target = await startS3Server();
  holdall = clientAt({ endpoint: target.url, ...target.credentials });
});
afterAll(() => target.discard());

/** Runs `holdall import` on the data folder of the server, which runs meanwhile. */
async function importFrom(address: Address, from: string, ...options: string[]) {
  const ended = await run(["import", from, "--endpoint", address.endpoint, ...options], {
    DATA_PATH: target.dataPath,
    AWS_ACCESS_KEY_ID: address.accessKeyId,
    AWS_SECRET_ACCESS_KEY: address.secretAccessKey,
  });
  const text = `${ended.stdout}${ended.stderr}`;
  expect(text).not.toMatch(/\n\s+at /);
  const [, imported, existing, conflicts, skipped] =
    /Imported ([\d,]+) objects? .*already present ([\d,]+); ([\d,]+) conflicts?; skipped ([\d,]+)/
      .exec(text)
      ?.map((each) => Number(each.replaceAll(",", ""))) ?? [];
  return { code: ended.code, text, counts: { imported, existing, conflicts, skipped } };
}

async function keysAt(client: S3Client, Bucket: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    keys.push(...Contents.map(({ Key = "" }) => Key));
  }
  return keys;
}

/** All that the two servers must agree about. */
async function objectAt(client: S3Client, Bucket: string, Key: string) {
  const found = await client.send(new GetObjectCommand({ Bucket, Key }));
  const { TagSet } = await client.send(new GetObjectTaggingCommand({ Bucket, Key }));
  const { Grants } = await client.send(new GetObjectAclCommand({ Bucket, Key }));
  return {
    sha256: sha256((await found.Body?.transformToByteArray()) ?? ""),
    type: found.ContentType,
    etag: found.ETag,
    metadata: found.Metadata,
    headers: [
      // Without a value, the header says nothing.
      ...[found.CacheControl, found.ContentDisposition || undefined, found.ContentEncoding],
      ...[found.ContentLanguage, found.ExpiresString],
    ],
    tags: TagSet?.map(({ Key: name, Value }) => `${name}=${Value}`).sort(),
    isPublic: Grants?.some(({ Grantee }) => Grantee?.URI?.endsWith("AllUsers") === true),
  };
}

/** Keys that objects can have here and there. */
const CARRIED = [
  "plain.txt",
  "with space.txt",
  " leading and trailing ",
  "plus+sign",
  "percent%20literal%",
  "ünïcödé/日本語/ファイル.txt",
  "emoji 😀",
  "quotes '\"`",
  "ampersand & <angle>",
  "semicolon;equals=comma,at@dollar$",
  "hash#question?",
  "tilde~star*bang!(paren)",
  "brackets[]{}|^",
  "dots...",
  ".hidden",
  "UPPER/lower",
  `${"deep/".repeat(60)}leaf`,
  `${"k".repeat(255)}/${"l".repeat(255)}/${"m".repeat(255)}`,
];
/** Keys that no file can have. */
const REFUSED = [
  "/leading slash",
  "double//slash",
  "back\\slash",
  "control\u0001character",
  `${"o".repeat(300)}`,
];

describe.skipIf(!hasS3Server)("a bucket of Ceph", () => {
  let source: Address;
  let ceph: S3Client;
  const put = (Bucket: string, Key: string, more: Partial<PutObjectCommandInput> = {}) =>
    ceph.send(new PutObjectCommand({ Bucket, Key, Body: Key, ...more }));

  async function newBucket(): Promise<string> {
    const Bucket = unique("source");
    await ceph.send(new CreateBucketCommand({ Bucket }));
    return Bucket;
  }

  async function putParts(Bucket: string, Key: string, parts: readonly Buffer[]): Promise<void> {
    const { UploadId } = await ceph.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const Parts = [];
    for (const [index, Body] of parts.entries()) {
      const PartNumber = index + 1;
      const part = { Bucket, Key, UploadId, PartNumber, Body };
      Parts.push({ PartNumber, ETag: (await ceph.send(new UploadPartCommand(part))).ETag });
    }
    const MultipartUpload = { Parts };
    await ceph.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
  }

  beforeAll(async () => {
    const settings = await (await s3Server()).fresh();
    source = settings;
    ceph = clientAt(settings);
  });

  test("is imported with bytes, ETags, headers, metadata, tags and visibility", async () => {
    const bucket = await newBucket();
    for (const Key of CARRIED) await put(bucket, Key);
    for (const Key of REFUSED) await put(bucket, Key);
    const mebibyte = 1024 ** 2;
    await put(bucket, "empty", { Body: "" });
    await put(bucket, "all", {
      ContentType: "text/html; charset=utf-8",
      CacheControl: "max-age=60, must-revalidate",
      ContentDisposition: 'attachment; filename="a b.html"',
      ContentEncoding: "gzip",
      ContentLanguage: "de, en",
      Expires: new Date("2030-01-01T00:00:00Z"),
      Metadata: { plain: "value", spaced: "two  words", empty: "" },
      Tagging: "one=1&two=with%20space&plus=a%2Bb",
    });
    await put(bucket, "public.png", { ACL: "public-read", ContentType: "image/png" });
    await putParts(bucket, "parts of one size", [
      ...[randomBytes(5 * mebibyte), randomBytes(5 * mebibyte), randomBytes(17)],
    ]);
    await putParts(bucket, "parts of many sizes", [
      ...[randomBytes(5 * mebibyte), randomBytes(6 * mebibyte), randomBytes(1)],
    ]);
    await putParts(bucket, "one part", [randomBytes(100)]);
    await put(bucket, "folder/", { Body: "" });
    await put(bucket, "folder with bytes/");
    // Only one of the two can be there.
    await put(bucket, "either");
    await put(bucket, "either/or");
    const carried = (await keysAt(ceph, bucket)).filter(
      (key) => !REFUSED.includes(key) && !key.endsWith("/") && !key.startsWith("either"),
    );
    expect(carried).toHaveLength(CARRIED.length + 6);

    const dry = await importFrom(source, `s3://${bucket}`, "--dry-run");
    expect(dry.text).toContain("Nothing was changed");
    await expect(keysAt(holdall, bucket)).rejects.toMatchObject({ name: "NoSuchBucket" });

    const { code, text, counts } = await importFrom(source, `s3://${bucket}`);
    expect([code, text]).toEqual([1, expect.stringContaining("Imported")]);
    // With the folder, and one of the two.
    const imported = carried.length + 2;
    expect(counts).toEqual({
      imported,
      existing: 0,
      conflicts: 1,
      skipped: REFUSED.length + 1,
    });
    for (const Key of carried) {
      expect([Key, await objectAt(holdall, bucket, Key)]).toEqual([
        Key,
        await objectAt(ceph, bucket, Key),
      ]);
    }
    expect(await keysAt(holdall, bucket)).toContain("folder/");
    const lines = text.split("\n");
    for (const [key, why] of [
      ["/leading slash", "must not start with"],
      ["double//slash", "//"],
      ["folder with bytes/", "has no bytes"],
    ] as const) {
      expect(lines.filter((line) => line.startsWith(key) && line.includes(why))).toHaveLength(1);
    }
    expect(lines.filter((line) => /^either(?:\/or)?: /.test(line))).toHaveLength(1);
    const again = await importFrom(source, `s3://${bucket}`);
    expect(again.counts).toEqual({
      // The folder is made again.
      imported: 1,
      existing: imported - 1,
      conflicts: 1,
      skipped: REFUSED.length + 1,
    });
  });

  test("is imported again: what is newer at the source replaces, what is newer here stays", async () => {
    const bucket = await newBucket();
    for (const Key of ["same", "newer there", "newer here"]) await put(bucket, Key);
    await importFrom(source, `s3://${bucket}`);
    // The source tells whole seconds.
    await Bun.sleep(1100);
    await put(bucket, "newer there", { Body: "changed there" });
    await put(bucket, "newer here", { Body: "older" });
    await Bun.sleep(1100);
    await holdall.send(
      new PutObjectCommand({ Bucket: bucket, Key: "newer here", Body: "changed here" }),
    );
    const { code, text, counts } = await importFrom(source, `s3://${bucket}`);
    expect(counts).toEqual({ imported: 1, existing: 1, conflicts: 1, skipped: 0 });
    expect([code, text]).toEqual([1, expect.stringContaining("newer here: a newer file")]);
    for (const place of ["there", "here"]) {
      const found = await objectAt(holdall, bucket, `newer ${place}`);
      expect(found.sha256).toBe(sha256(`changed ${place}`));
    }
  });

  test("is imported by prefix into a folder, with one visibility", async () => {
    const bucket = await newBucket();
    for (const Key of ["a/1", "a/2", "b/1"]) await put(bucket, Key);
    const { code } = await importFrom(
      ...[source, `s3://${bucket}/a/`],
      ...["--folder", `moved/${bucket}`, "--visibility", "public"],
    );
    expect(code).toBe(0);
    const response = await fetch(`${target.url}/api/hosting/moved/${bucket}/a/1`);
    expect([response.status, await response.text()]).toEqual([200, "a/1"]);
    const keys = (await keysAt(holdall, "moved")).filter((key) => key.startsWith(bucket));
    expect(keys).toEqual([`${bucket}/a/1`, `${bucket}/a/2`]);
  });

  test("with a policy for everyone is imported as public, and its settings are named", async () => {
    const bucket = await newBucket();
    await put(bucket, "a");
    await ceph.send(
      new PutBucketPolicyCommand({
        Bucket: bucket,
        Policy: JSON.stringify({
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: "*",
              Action: "s3:GetObject",
              Resource: `arn:aws:s3:::${bucket}/*`,
            },
          ],
        }),
      }),
    );
    await ceph.send(
      new PutBucketCorsCommand({
        Bucket: bucket,
        CORSConfiguration: { CORSRules: [{ AllowedMethods: ["GET"], AllowedOrigins: ["*"] }] },
      }),
    );
    const { code, text } = await importFrom(source, `s3://${bucket}`);
    expect([code, text]).toEqual([0, expect.stringContaining("It has CORS rules")]);
    expect(text).toContain("Its policy makes objects public");
    expect((await fetch(`${target.url}/api/hosting/${bucket}/a`)).status).toBe(200);
  });

  test("whose credentials, name or server are wrong is reported in one line", async () => {
    const bucket = await newBucket();
    const wrong = { ...source, secretAccessKey: "a wrong secret" };
    expect(await importFrom(wrong, `s3://${bucket}`)).toMatchObject({
      code: 1,
      text: expect.stringContaining("SignatureDoesNotMatch"),
    });
    expect(await importFrom(source, "s3://none-such")).toMatchObject({
      code: 1,
      text: expect.stringContaining("NoSuchBucket"),
    });
    expect((await importFrom(source, "s3://")).code).toBe(2);
    await expect(keysAt(holdall, bucket)).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  describe("behind a proxy", () => {
    const through = (choose: (head: string) => FaultName | undefined) =>
      startFaultProxy(source.endpoint, choose);

    /** Imports an object whose connection breaks until `change` is done. */
    async function importWhile(bucket: string, key: string, change: () => Promise<unknown>) {
      let changing: Promise<void> | undefined;
      let isChanged = false;
      const proxy = await through((head) => {
        if (isChanged || !head.startsWith("GET") || !head.includes(`/${key} `)) return undefined;
        changing ??= change().then(() => {
          isChanged = true;
        });
        return "cut body";
      });
      const ended = await importFrom({ ...source, endpoint: proxy.url }, `s3://${bucket}`);
      await changing;
      await proxy.close();
      return ended;
    }

    test("whose object is replaced while it is read is imported as it is then", async () => {
      const bucket = await newBucket();
      const now = Buffer.alloc(30_000_000, 2);
      await put(bucket, "changes", { Body: Buffer.alloc(30_000_000, 1) });
      const { code, text, counts } = await importWhile(bucket, "changes", () =>
        put(bucket, "changes", { Body: now }),
      );
      expect([code, text]).toEqual([0, expect.stringContaining("read: 1 object.")]);
      expect(counts.imported).toBe(1);
      expect((await objectAt(holdall, bucket, "changes")).sha256).toBe(sha256(now));
    });

    test("whose object is removed while it is read is imported without it", async () => {
      const bucket = await newBucket();
      await put(bucket, "vanishes", { Body: Buffer.alloc(30_000_000, 1) });
      const { code, text, counts } = await importWhile(bucket, "vanishes", () =>
        ceph.send(new DeleteObjectCommand({ Bucket: bucket, Key: "vanishes" })),
      );
      expect([code, text]).toEqual([0, expect.stringContaining("read: 1 object.")]);
      expect(counts).toEqual({ imported: 0, existing: 0, conflicts: 0, skipped: 0 });
      expect(await keysAt(holdall, bucket)).toEqual([]);
    });

    test("whose connections break is imported whole", async () => {
      const bucket = await newBucket();
      const body = randomBytes(20_000_000);
      await put(bucket, "large", { Body: body });
      let breaks = 2;
      const proxy = await through((head) =>
        head.startsWith("GET") && head.includes("/large") && breaks-- > 0 ? "cut body" : undefined,
      );
      const { code } = await importFrom({ ...source, endpoint: proxy.url }, `s3://${bucket}`);
      await proxy.close();
      expect(code).toBe(0);
      expect((await objectAt(holdall, bucket, "large")).sha256).toBe(sha256(body));
    });

    test("that dies at any point is continued", async () => {
      const bucket = await newBucket();
      const keys = Array.from({ length: 400 }, (_, at) => `folder ${at % 7}/object ${at}`);
      await forEachConcurrently(keys, 16, async (Key) => {
        await put(bucket, Key, { Tagging: "kept=yes", Metadata: { key: encodeURIComponent(Key) } });
      });
      let left = 0;
      const proxy = await through(() => (left-- > 0 ? undefined : "reset before"));
      const behind = { ...source, endpoint: proxy.url };
      let before = 0;
      for (let point = 0; point < POINTS; point += 1) {
        left = 20 + Math.floor(Math.random() * 60);
        const { code, text } = await importFrom(behind, `s3://${bucket}`);
        expect([code, text]).toEqual([1, expect.stringContaining("run the same command again")]);
        const stored = (await keysAt(holdall, bucket).catch(() => [])).length;
        expect(stored).toBeGreaterThanOrEqual(before);
        before = stored;
      }
      left = Number.POSITIVE_INFINITY;
      const { code, counts } = await importFrom(behind, `s3://${bucket}`);
      await proxy.close();
      expect([code, (counts.imported ?? 0) + (counts.existing ?? 0)]).toEqual([0, keys.length]);
      expect(before).toBeGreaterThan(0);
      await forEachConcurrently(keys, 16, async (Key) => {
        const found = await objectAt(holdall, bucket, Key);
        expect(found).toEqual(await objectAt(ceph, bucket, Key));
      });
    }, 600_000);

    test("with damaged bytes is not imported", async () => {
      const bucket = await newBucket();
      await put(bucket, "damaged", { Body: "the content that was stored" });
      const proxy = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request) {
          const url = new URL(request.url);
          const response = await fetch(`${source.endpoint}${url.pathname}${url.search}`, {
            method: request.method,
            headers: request.headers,
          });
          const text = (await response.text()).replace(
            "that was stored",
            "that was changed".slice(0, 15),
          );
          const headers = new Headers(response.headers);
          headers.delete("content-length");
          return new Response(text, { status: response.status, headers });
        },
      });
      const { code, text, counts } = await importFrom(
        { ...source, endpoint: `http://127.0.0.1:${proxy.port}` },
        `s3://${bucket}`,
      );
      await proxy.stop(true);
      expect([code, text]).toEqual([1, expect.stringContaining("damaged: its bytes do not match")]);
      expect(counts).toEqual({ imported: 0, existing: 0, conflicts: 0, skipped: 1 });
      expect(await keysAt(holdall, bucket)).toEqual([]);
    });
  });
});

describe("a bucket of Holdall", () => {
  test("is imported with what it has", async () => {
    const other = await startS3Server();
    const source = { endpoint: other.url, ...other.credentials };
    const client = clientAt(source);
    const Bucket = unique("source");
    await client.send(new CreateBucketCommand({ Bucket }));
    for (const Key of CARRIED) {
      const Metadata = { key: encodeURIComponent(Key) };
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body: Key,
          Metadata,
          Tagging: "a=1",
          ACL: "public-read",
        }),
      );
    }
    const { code, counts } = await importFrom(source, `s3://${Bucket}`);
    expect([code, counts.imported]).toEqual([0, CARRIED.length]);
    for (const Key of CARRIED) {
      expect([Key, await objectAt(holdall, Bucket, Key)]).toEqual([
        Key,
        await objectAt(client, Bucket, Key),
      ]);
    }
    await other.discard();
  });
});

describe("a source whose list is wrong", () => {
  const CONTENTS = {
    key: "<Key>%zz</Key><Size>1</Size><LastModified>2024-01-02T03:04:05Z</LastModified>",
    size: "<Key>a</Key><Size>many</Size><LastModified>2024-01-02T03:04:05Z</LastModified>",
    time: "<Key>a</Key><Size>1</Size>",
  };

  async function importList(listOf: (token: string | null) => string) {
    const source = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { searchParams } = new URL(request.url);
        return searchParams.has("list-type")
          ? new Response(
              `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>${listOf(searchParams.get("continuation-token"))}</ListBucketResult>`,
            )
          : new Response(null, { status: 404 });
      },
    });
    const endpoint = `http://127.0.0.1:${source.port}`;
    const address = { endpoint, accessKeyId: "id", secretAccessKey: "hidden-secret" };
    const result = await importFrom(address, "s3://bucket", "--folder", unique("wrong"));
    await source.stop(true);
    expect(result.text).not.toContain("hidden-secret");
    return result;
  }

  test.each(["key", "size", "time"] as const)(
    "in a %s ends the import in one line",
    async (what) => {
      const { code, text } = await importList(
        () => `<Contents>${CONTENTS[what]}<ETag>"a"</ETag></Contents>`,
      );
      expect([code, text]).toEqual([1, expect.stringContaining("cannot be read")]);
    },
  );

  test("in its tokens, which go in a circle, ends the import", async () => {
    const { code, text } = await importList(
      (token) =>
        `<IsTruncated>true</IsTruncated><NextContinuationToken>${token === "a" ? "b" : "a"}</NextContinuationToken>`,
    );
    expect([code, text]).toEqual([1, expect.stringContaining("without a new token")]);
  });

  test("and who sends control characters writes none to the terminal", async () => {
    const { text } = await importList(
      () =>
        '<Contents><Key>%1B%5B31ma</Key><Size>1</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>"a&#10;b"</ETag></Contents>',
    );
    expect(text).not.toContain("\x1b[31m");
    expect(text).toContain("skipped 1");
  });
});

describe("a bucket of Supabase Storage", () => {
  const OBJECTS: Readonly<Record<string, string>> = {
    "avatars/ü 1.png": "one",
    "empty/.emptyFolderPlaceholder": "",
  };

  /** As much of Supabase as the import asks for. Its ETags are no MD5 of the content. */
  function startSupabase(isPublic: boolean | "redirected") {
    const requests: string[] = [];
    const supabase = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        const path = decodeURIComponent(pathname);
        requests.push(`${request.method} ${path}?${[...searchParams.keys()].join("&")}`);
        if (path.startsWith("/storage/v1/object/public/")) {
          if (isPublic === "redirected") return Response.redirect("/sign-in");
          return new Response(null, { status: isPublic ? 200 : 400 });
        }
        if (path === "/sign-in") return new Response("Sign in.");
        if (!request.headers.has("authorization")) return new Response(null, { status: 403 });
        const etag = (key: string) => `"${sha256(key).slice(0, 32)}"`;
        if (path === "/storage/v1/s3/pictures/") {
          const contents = Object.entries(OBJECTS).map(
            ([key, content]) =>
              `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${content.length}</Size><ETag>${etag(key)}</ETag><LastModified>2024-01-02T03:04:05.000Z</LastModified></Contents>`,
          );
          return new Response(
            `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`,
          );
        }
        const key = path.replace("/storage/v1/s3/pictures/", "");
        const content = OBJECTS[key];
        if (content === undefined) return new Response(null, { status: 404 });
        const headers = {
          ETag: etag(key),
          "Content-Type": "image/png",
          "Cache-Control": "max-age=3600",
        };
        return new Response(content, { headers });
      },
    });
    return { supabase, requests };
  }

  test.each([true, false, "redirected"] as const)("is imported; public: %p", async (answer) => {
    const { supabase, requests } = startSupabase(answer);
    const isPublic = answer === true;
    const address = {
      endpoint: `http://127.0.0.1:${supabase.port}/storage/v1/s3`,
      accessKeyId: "id",
      secretAccessKey: "secret",
    };
    const folder = unique("pictures");
    const options = ["--from-supabase", "--folder", folder];
    const { code, text } = await importFrom(address, "s3://pictures", ...options);
    // Run again, it knows the objects, although their ETags are no digests.
    const again = await importFrom(address, "s3://pictures", ...options);
    await supabase.stop(true);
    expect([code, text]).toEqual([0, expect.stringContaining("by size only")]);
    expect(again.counts).toMatchObject({ existing: 1, conflicts: 0, skipped: 0 });
    expect(await keysAt(holdall, folder)).toEqual(["avatars/ü 1.png", "empty/"]);
    const found = await objectAt(holdall, folder, "avatars/ü 1.png");
    expect(found).toMatchObject({ sha256: sha256("one"), type: "image/png", isPublic });
    expect(found.headers[0]).toBe("max-age=3600");
    expect(requests.filter((line) => /tagging|acl|policy/.test(line))).toEqual([]);
  });
});

test.each([
  [["import", "s3://bucket"], {}, "--endpoint"],
  [["import", "s3://bucket", "--endpoint", "minio:9000"], {}, "http"],
  [["import", "s3://bucket", "--endpoint", "http://127.0.0.1:9"], {}, "AWS_ACCESS_KEY_ID"],
  [["import", "folder", "--dry-run"], {}, "--dry-run"],
] as const)("%p without what it needs is refused", async (args, env, reason) => {
  const ended = await run(args, { DATA_PATH: target.dataPath, ...env });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain(reason);
});
