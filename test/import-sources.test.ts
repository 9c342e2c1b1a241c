import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { unique } from "./client.ts";
import { run } from "./harness.ts";
import {
  type Address,
  CARRIED,
  clientAt,
  type ImportTarget,
  keysAt,
  objectAt,
  startImportTarget,
} from "./import-bucket.fixture.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { sha256 } from "./s3-api/sign-request.ts";

let target: ImportTarget;
beforeAll(async () => {
  target = await startImportTarget();
});
afterAll(() => target.server.discard());

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
    const { code, counts } = await target.importFrom(source, `s3://${Bucket}`);
    expect([code, counts.imported]).toEqual([0, CARRIED.length]);
    for (const Key of CARRIED) {
      expect([Key, await objectAt(target.holdall, Bucket, Key)]).toEqual([
        Key,
        await objectAt(client, Bucket, Key),
      ]);
    }
    await other.discard();
  });
});

describe("a bucket of Holdall with quirks", () => {
  const TYPES = ['video/mp4; codecs="avc1.42E01E"', "application/json; charset=utf-8", "jpg"];
  const Bucket = unique("quirks");
  let other: S3TestServer;
  let source: Address;
  let client: S3Client;
  beforeAll(async () => {
    other = await startS3Server();
    source = { endpoint: other.url, ...other.credentials };
    client = clientAt(source);
    await client.send(new CreateBucketCommand({ Bucket }));
  });
  afterAll(() => other.discard());

  test("is imported with types that have parameters or are none", async () => {
    for (const ContentType of TYPES) {
      const object = { Bucket, Key: `type ${sha256(ContentType)}`, ContentType };
      await client.send(new PutObjectCommand({ ...object, Body: "a" }));
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ ...object, Key: `${object.Key} in parts` }),
      );
      await putParts(client, { Bucket, Key: `${object.Key} in parts`, UploadId }, [1]);
      const CopySource = `${Bucket}/${encodeURIComponent(object.Key)}`;
      await client.send(new CopyObjectCommand({ Bucket, Key: `${object.Key} copied`, CopySource }));
    }
    const { code } = await target.importFrom(source, `s3://${Bucket}/type`);
    expect(code).toBe(0);
    for (const ContentType of TYPES) {
      for (const kind of ["", " in parts", " copied"]) {
        const Key = `type ${sha256(ContentType)}${kind}`;
        expect((await objectAt(client, Bucket, Key)).type).toBe(ContentType);
        expect(await objectAt(target.holdall, Bucket, Key)).toEqual(
          await objectAt(client, Bucket, Key),
        );
      }
    }
  });

  test("is imported with parts whose sizes only seem to be the same", async () => {
    const Key = "parts";
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    // The first one times three, and the last one, have the size of the object.
    await putParts(
      client,
      { Bucket, Key, UploadId },
      [6, 5, 7, 3].map((size) => size * 1024 ** 2),
    );
    const { code, text } = await target.importFrom(source, `s3://${Bucket}/${Key}`);
    expect([code, text]).toEqual([0, expect.stringContaining("Imported 1 object")]);
    const part = new HeadObjectCommand({ Bucket, Key, PartNumber: 3 });
    expect((await target.holdall.send(part)).ContentLength).toBe(7 * 1024 ** 2);
    expect(await objectAt(target.holdall, Bucket, Key)).toEqual(
      await objectAt(client, Bucket, Key),
    );
  });
});

async function putParts(
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  sizes: readonly number[],
): Promise<void> {
  const Parts = [];
  for (const [index, size] of sizes.entries()) {
    const part = { ...upload, PartNumber: index + 1, Body: Buffer.alloc(size, index) };
    const { ETag } = await client.send(new UploadPartCommand(part));
    Parts.push({ PartNumber: index + 1, ETag });
  }
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}

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
    const result = await target.importFrom(address, "s3://bucket", "--folder", unique("wrong"));
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

const ACL = `<AccessControlPolicy><Owner><ID>me</ID></Owner><AccessControlList><Grant><Grantee><ID>another</ID></Grantee><Permission>READ</Permission></Grant></AccessControlList></AccessControlPolicy>`;
/** More tags than an object may have. */
const TAGGING = `<Tagging><TagSet>${Array.from({ length: 11 }, (_, at) => `<Tag><Key>tag-${at}</Key><Value>a</Value></Tag>`).join("")}</TagSet></Tagging>`;

test("a dry run names what an import would skip or lose", async () => {
  const KEYS = [
    ...["fine", "archived", "control%C2%85character", "either", "either/or"],
    ...["granted", "u%CC%88", "%C3%BC"],
  ];
  const source = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const contents = KEYS.map(
        (key) =>
          `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>"a"</ETag></Contents>`,
      );
      if (searchParams.has("list-type")) {
        return new Response(
          `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>${contents.join("")}</ListBucketResult>`,
        );
      }
      if (searchParams.has("acl") && pathname.endsWith("/granted")) return new Response(ACL);
      if (searchParams.has("tagging") && pathname.endsWith("/fine")) return new Response(TAGGING);
      if (request.method !== "HEAD") return new Response(null, { status: 404 });
      const storageClass = pathname.endsWith("/archived") ? "GLACIER" : "STANDARD";
      return new Response(null, { headers: { ETag: '"a"', "x-amz-storage-class": storageClass } });
    },
  });
  const address = {
    endpoint: `http://127.0.0.1:${source.port}`,
    accessKeyId: "id",
    secretAccessKey: "secret",
  };
  const { code, text } = await target.importFrom(address, "s3://Old_Archive", "--dry-run");
  const folder = ["--folder", "archive"];
  const named = await target.importFrom(address, "s3://Old_Archive", "--dry-run", ...folder);
  await source.stop(true);
  expect([code, text]).toEqual([1, expect.stringContaining("To import: 4 objects")]);
  expect(text).toContain("; 3 conflicts; skipped 1");
  expect(text).toMatch(/^either(\/or)?: (its|a) folder /m);
  expect(text).toContain("another file of the source has this name");
  expect(text).toContain("granted: rights in its ACL were not carried");
  expect(text).toContain("fine: its tags were not carried");
  expect(text).toContain("archived: it is in an archive");
  expect(text).toContain("S3 clients do not see the folder Old_Archive");
  expect(named.text).not.toContain("S3 clients do not see");
  expect(text).toMatch(/^control.*control characters$/m);
});

test.each([
  ["the source tells the sizes of all its parts", ["1", "2", "3", "4"]],
  ["the source tells the sizes of some of its parts only", ["1", "4"]],
])("a damaged object is read once and skipped: %s", async (_, toldParts) => {
  const etag = `"${"0".repeat(32)}-4"`;
  const content = "x".repeat(20);
  let reads = 0;
  const source = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (searchParams.has("list-type")) {
        return new Response(
          `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><Contents><Key>damaged</Key><Size>20</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>${etag}</ETag></Contents></ListBucketResult>`,
        );
      }
      const part = searchParams.get("partNumber");
      if (toldParts.includes(part ?? "")) return new Response("x".repeat(5));
      const isObject = pathname.endsWith("/damaged") && searchParams.size === 0;
      if (isObject && request.method === "GET") reads += 1;
      return isObject
        ? new Response(content, { headers: { ETag: etag } })
        : new Response(null, { status: 404 });
    },
  });
  const endpoint = `http://127.0.0.1:${source.port}`;
  const address = { endpoint, accessKeyId: "id", secretAccessKey: "secret" };
  const { counts, text } = await target.importFrom(address, `s3://${unique("damaged")}`);
  await source.stop(true);
  expect(counts).toMatchObject({ imported: 0, skipped: 1 });
  expect(text).toContain("damaged: its bytes do not match its ETag");
  expect(reads).toBe(1);
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
    const { code, text } = await target.importFrom(address, "s3://pictures", ...options);
    // Run again, it knows the objects, although their ETags are no digests.
    const again = await target.importFrom(address, "s3://pictures", ...options);
    await supabase.stop(true);
    expect([code, text]).toEqual([0, expect.stringContaining("by size only")]);
    expect(again.counts).toMatchObject({ existing: 1, conflicts: 0, skipped: 0 });
    expect(await keysAt(target.holdall, folder)).toEqual(["avatars/ü 1.png", "empty/"]);
    const found = await objectAt(target.holdall, folder, "avatars/ü 1.png");
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
  const ended = await run(args, { DATA_PATH: target.server.dataPath, ...env });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain(reason);
});
