import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { api, unique } from "./client.ts";
import {
  type Address,
  clientAt,
  type ImportTarget,
  keysAt,
  objectAt,
  startImportTarget,
} from "./import-bucket.fixture.ts";
import { isLongForm } from "./long-forms.fixture.ts";
import { type MeteredProxy, startMeteredProxy } from "./metered-proxy.fixture.ts";
import { sha256 } from "./s3-api/sign-request.ts";

const MEBIBYTE = 1024 ** 2;
const SIZE = 200 * MEBIBYTE + 17;
/** Bytes that an end may lose: a part, and what is on its way. */
const LOST = 24 * MEBIBYTE;
/** Where an import of an object or its source dies, one after the other. */
const POINTS = 5;
const OBJECTS = isLongForm ? 4 : 1;

describe.skipIf(!hasS3Server)("the import of a large object", () => {
  let target: ImportTarget;
  let source: Address;
  let ceph: S3Client;
  let proxy: MeteredProxy;
  beforeAll(async () => {
    target = await startImportTarget();
    const settings = await (await s3Server()).fresh();
    ceph = clientAt(settings);
    proxy = await startMeteredProxy(settings.endpoint);
    source = { ...settings, endpoint: proxy.url };
  });
  afterAll(async () => {
    proxy.close();
    await target.server.discard();
  });

  async function putLarge(Bucket: string): Promise<Buffer> {
    const Body = randomBytes(SIZE);
    const more = { Metadata: { key: "value" }, Tagging: "kept=yes" };
    await ceph.send(new PutObjectCommand({ Bucket, Key: "large", Body, ...more }));
    return Body;
  }

  async function newBucket(): Promise<string> {
    const Bucket = unique("large");
    await ceph.send(new CreateBucketCommand({ Bucket }));
    return Bucket;
  }

  /** Imports until so many bytes have come; then the source dies, or the import. */
  async function importBroken(bucket: string, bytes: number, victim: "source" | "import") {
    const kill = new AbortController();
    proxy.allow(bytes, victim === "source" ? "die" : () => kill.abort());
    const ended = await target.importUntil(kill.signal, source, `s3://${bucket}`);
    proxy.allow(Number.POSITIVE_INFINITY, "die");
    expect([ended.code, ended.text]).toEqual(
      victim === "source"
        ? [1, expect.stringContaining("run the same command again")]
        : [null, expect.anything()],
    );
  }

  const openUploads = async (Bucket: string) =>
    (await target.holdall.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? [];

  test.each(Array.from({ length: OBJECTS }, (_, index) => index))(
    "is continued where it was, wherever it or its source dies (%d)",
    async (index) => {
      const bucket = await newBucket();
      const body = await putLarge(bucket);
      const before = proxy.passed();
      for (let point = 0; point < POINTS; point += 1) {
        const bytes = Math.floor((SIZE / POINTS) * (0.8 + Math.random() * 0.4));
        await importBroken(bucket, bytes, (point + index) % 2 === 0 ? "source" : "import");
        expect(await keysAt(target.holdall, bucket)).toEqual([]);
      }
      const { code, text, counts } = await target.importFrom(source, `s3://${bucket}`);
      expect([code, text, counts.imported]).toEqual([
        ...[0, expect.stringContaining("earlier import ended: 1 object."), 1],
      ]);
      expect(proxy.passed() - before).toBeLessThan(SIZE + POINTS * LOST);
      const found = await objectAt(target.holdall, bucket, "large");
      expect(found).toEqual(await objectAt(ceph, bucket, "large"));
      expect(found.sha256).toBe(sha256(body));
      const { text: digest } = await api(target.server).get(
        `/api/files/digest?key=${bucket}/large`,
      );
      expect(JSON.parse(digest).data.sha256).toBe(found.sha256);
      expect(await openUploads(bucket)).toEqual([]);
    },
    600_000,
  );

  test("begins again if the object has changed meanwhile", async () => {
    const bucket = await newBucket();
    await putLarge(bucket);
    await importBroken(bucket, SIZE / 2, "import");
    expect(await openUploads(bucket)).toHaveLength(1);
    const body = await putLarge(bucket);
    const { code, text } = await target.importFrom(source, `s3://${bucket}`);
    expect([code, text]).toEqual([0, expect.not.stringContaining("earlier import")]);
    expect((await objectAt(target.holdall, bucket, "large")).sha256).toBe(sha256(body));
    expect(await openUploads(bucket)).toEqual([]);
  }, 120_000);
});
