import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { unique } from "./client.ts";
import { type FaultName, startFaultProxy } from "./fault-proxy.ts";
import {
  type Address,
  CARRIED,
  clientAt,
  type ImportTarget,
  keysAt,
  objectAt,
  startImportTarget,
} from "./import-bucket.fixture.ts";
import { isLongForm } from "./long-forms.fixture.ts";
import { sha256 } from "./s3-api/sign-request.ts";

/** Where an import dies, one after the other. */
const POINTS = isLongForm ? 20 : 6;

let target: ImportTarget;
beforeAll(async () => {
  target = await startImportTarget();
});
afterAll(() => target.server.discard());

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

    const dry = await target.importFrom(source, `s3://${bucket}`, "--dry-run");
    expect(dry.text).toContain("Nothing was changed");
    expect(dry.text).toContain("; 1 conflict; skipped ");
    await expect(keysAt(target.holdall, bucket)).rejects.toMatchObject({ name: "NoSuchBucket" });

    const { code, text, counts } = await target.importFrom(source, `s3://${bucket}`);
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
      expect([Key, await objectAt(target.holdall, bucket, Key)]).toEqual([
        Key,
        await objectAt(ceph, bucket, Key),
      ]);
    }
    expect(await keysAt(target.holdall, bucket)).toContain("folder/");
    const lines = text.split("\n");
    for (const [key, why] of [
      ["/leading slash", "must not start with"],
      ["double//slash", "//"],
      ["folder with bytes/", "has no bytes"],
    ] as const) {
      expect(lines.filter((line) => line.startsWith(key) && line.includes(why))).toHaveLength(1);
    }
    expect(lines.filter((line) => /^either(?:\/or)?: /.test(line))).toHaveLength(1);
    const again = await target.importFrom(source, `s3://${bucket}`);
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
    await target.importFrom(source, `s3://${bucket}`);
    // The source tells whole seconds.
    await Bun.sleep(1100);
    await put(bucket, "newer there", { Body: "changed there" });
    await put(bucket, "newer here", { Body: "older" });
    await Bun.sleep(1100);
    await target.holdall.send(
      new PutObjectCommand({ Bucket: bucket, Key: "newer here", Body: "changed here" }),
    );
    const { code, text, counts } = await target.importFrom(source, `s3://${bucket}`);
    expect(counts).toEqual({ imported: 1, existing: 1, conflicts: 1, skipped: 0 });
    expect([code, text]).toEqual([1, expect.stringContaining("newer here: a newer file")]);
    for (const place of ["there", "here"]) {
      const found = await objectAt(target.holdall, bucket, `newer ${place}`);
      expect(found.sha256).toBe(sha256(`changed ${place}`));
    }
  });

  test("is imported by prefix into a folder, with one visibility", async () => {
    const bucket = await newBucket();
    for (const Key of ["a/1", "a/2", "b/1"]) await put(bucket, Key);
    const { code } = await target.importFrom(
      ...[source, `s3://${bucket}/a/`],
      ...["--folder", `moved/${bucket}`, "--visibility", "public"],
    );
    expect(code).toBe(0);
    const response = await fetch(`${target.server.url}/api/hosting/moved/${bucket}/a/1`);
    expect([response.status, await response.text()]).toEqual([200, "a/1"]);
    const keys = (await keysAt(target.holdall, "moved")).filter((key) => key.startsWith(bucket));
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
    const { code, text } = await target.importFrom(source, `s3://${bucket}`);
    expect([code, text]).toEqual([0, expect.stringContaining("It has CORS rules")]);
    expect(text).toContain("Its policy makes objects public");
    expect((await fetch(`${target.server.url}/api/hosting/${bucket}/a`)).status).toBe(200);
  });

  test("whose credentials, name or server are wrong is reported in one line", async () => {
    const bucket = await newBucket();
    const wrong = { ...source, secretAccessKey: "a wrong secret" };
    expect(await target.importFrom(wrong, `s3://${bucket}`)).toMatchObject({
      code: 1,
      text: expect.stringContaining("SignatureDoesNotMatch"),
    });
    expect(await target.importFrom(source, "s3://none-such")).toMatchObject({
      code: 1,
      text: expect.stringContaining("NoSuchBucket"),
    });
    expect((await target.importFrom(source, "s3://")).code).toBe(2);
    await expect(keysAt(target.holdall, bucket)).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  describe("behind a proxy", () => {
    const through = (choose: (head: string) => FaultName | undefined) =>
      startFaultProxy(source.endpoint, choose);

    /** Imports an object whose connection breaks once; the source is busy until `change` is done. */
    async function importWhile(bucket: string, key: string, change: () => Promise<unknown>) {
      let changing: Promise<void> | undefined;
      let isChanged = false;
      const proxy = await through((head) => {
        if (isChanged || !head.startsWith("GET") || !head.includes(`/${key} `)) return undefined;
        if (changing !== undefined) return "503 instead";
        changing = change().then(() => {
          isChanged = true;
        });
        return "cut body";
      });
      const ended = await target.importFrom({ ...source, endpoint: proxy.url }, `s3://${bucket}`);
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
      expect((await objectAt(target.holdall, bucket, "changes")).sha256).toBe(sha256(now));
    });

    test("whose object is removed while it is read is imported without it", async () => {
      const bucket = await newBucket();
      await put(bucket, "vanishes", { Body: Buffer.alloc(30_000_000, 1) });
      const { code, text, counts } = await importWhile(bucket, "vanishes", () =>
        ceph.send(new DeleteObjectCommand({ Bucket: bucket, Key: "vanishes" })),
      );
      expect([code, text]).toEqual([0, expect.stringContaining("read: 1 object.")]);
      expect(counts).toEqual({ imported: 0, existing: 0, conflicts: 0, skipped: 0 });
      expect(await keysAt(target.holdall, bucket)).toEqual([]);
    });

    test("whose connections break is imported whole", async () => {
      const bucket = await newBucket();
      const body = randomBytes(20_000_000);
      await put(bucket, "large", { Body: body });
      const requests: number[] = [];
      const proxy = await through((head) => {
        if (!/^GET \S+\/large HTTP/.test(head)) return undefined;
        requests.push(performance.now());
        return requests.length <= 3 ? "cut body" : undefined;
      });
      const { code } = await target.importFrom(
        { ...source, endpoint: proxy.url },
        `s3://${bucket}`,
      );
      await proxy.close();
      expect(code).toBe(0);
      expect((await objectAt(target.holdall, bucket, "large")).sha256).toBe(sha256(body));
      const pauses = requests.slice(1).map((at, index) => at - (requests[index] ?? 0));
      expect(pauses).toHaveLength(3);
      // The bytes between two breaks may start the pauses anew.
      for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(500);
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
        const { code, text } = await target.importFrom(behind, `s3://${bucket}`);
        expect([code, text]).toEqual([1, expect.stringContaining("run the same command again")]);
        const stored = (await keysAt(target.holdall, bucket).catch(() => [])).length;
        expect(stored).toBeGreaterThanOrEqual(before);
        before = stored;
      }
      left = Number.POSITIVE_INFINITY;
      const { code, counts } = await target.importFrom(behind, `s3://${bucket}`);
      await proxy.close();
      expect([code, (counts.imported ?? 0) + (counts.existing ?? 0)]).toEqual([0, keys.length]);
      expect(before).toBeGreaterThan(0);
      await forEachConcurrently(keys, 16, async (Key) => {
        const found = await objectAt(target.holdall, bucket, Key);
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
      const { code, text, counts } = await target.importFrom(
        { ...source, endpoint: `http://127.0.0.1:${proxy.port}` },
        `s3://${bucket}`,
      );
      await proxy.stop(true);
      expect([code, text]).toEqual([1, expect.stringContaining("damaged: its bytes do not match")]);
      expect(counts).toEqual({ imported: 0, existing: 0, conflicts: 0, skipped: 1 });
      expect(await keysAt(target.holdall, bucket)).toEqual([]);
    });
  });
});
