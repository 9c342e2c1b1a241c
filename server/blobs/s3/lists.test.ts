import { afterAll, describe, expect, test } from "bun:test";
import { createS3Client } from "./s3-client.ts";
import { createMultiparts } from "./s3-multipart.ts";
import { createS3Objects } from "./s3-objects.ts";

/** What the store sends next, with 200. */
let reply = "";
const store = Bun.serve({ port: 0, fetch: () => new Response(reply) });
afterAll(() => store.stop(true));

const client = createS3Client({
  endpoint: store.url.origin,
  bucket: "bucket",
  region: "us-east-1",
  accessKeyId: "key",
  secretAccessKey: "secret",
  forcePathStyle: true,
  timeout: 5000,
});
const objects = createS3Objects(client);
const multiparts = createMultiparts(client, async () => undefined);
const multipart = multiparts.resume({ key: "key", uploadId: "id" });

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>';
const lateError = `${HEADER}<Error><Code>InternalError</Code></Error>`;
const notXml = "<html><p>Sorry<br></html>";

describe("lists", () => {
  const lists = {
    keys: () => Array.fromAsync(objects.keys("")),
    sizes: () => Array.fromAsync(objects.sizes("")),
    prefixes: () => Array.fromAsync(objects.prefixes("")),
    uploads: () => Array.fromAsync(multiparts.unfinished("")),
    parts: () => multipart.partsAfter(0),
  };

  test("read text as XML and as URLs, in the order of the store", async () => {
    reply = `
      ${HEADER}
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Prefix/><IsTruncated>false</IsTruncated>
        <Contents><Key>b%2Bc+d&amp;&#x65;</Key><Size>7</Size><Owner><ID>1</ID></Owner></Contents>
        <CommonPrefixes><Prefix>x/</Prefix></CommonPrefixes>
        <Contents><Key>a%0A</Key><Size>8</Size></Contents>
        <CommonPrefixes><Prefix>y/</Prefix></CommonPrefixes>
      </ListBucketResult>`;
    expect(await lists.sizes()).toEqual([
      ["b+c d&e", 7],
      ["a\n", 8],
    ]);
    expect(await lists.prefixes()).toEqual(["x/", "y/"]);
  });

  test("may be empty, and have one entry", async () => {
    reply = `${HEADER}<ListBucketResult/>`;
    expect(await lists.keys()).toEqual([]);
    expect(await lists.uploads()).toEqual([]);
    reply = `${HEADER}<ListPartsResult><Part><PartNumber>1</PartNumber><ETag>&quot;e&quot;</ETag><Size>5</Size></Part></ListPartsResult>`;
    expect(await lists.parts()).toEqual([{ part: 1, tag: '"e"', size: 5 }]);
  });

  for (const [name, list] of Object.entries(lists)) {
    test.each([notXml, "", `${HEADER}<ListBucketResult><Contents>`])(
      `of ${name} that cannot be read are no empty lists: %p`,
      async (text) => {
        reply = text;
        expect(await list().catch((error) => error)).toMatchObject({
          name: "S3Error",
          status: 500,
        });
      },
    );

    test(`an error instead of ${name}, after the store has sent 200, is an error`, async () => {
      reply = lateError;
      expect(await list().catch((error) => error)).toMatchObject({
        name: "S3Error",
        status: 500,
        code: "InternalError",
      });
    });
  }
});

describe("other replies", () => {
  test("removals succeed unless the store reports an error", async () => {
    for (const text of ["", notXml, `${HEADER}<DeleteResult/>`]) {
      reply = text;
      await objects.remove(["a", "b"]);
    }
    for (const text of [
      `${HEADER}<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>`,
      `${HEADER}<Error><Code>AccessDenied</Code></Error>`,
    ]) {
      reply = text;
      expect(await objects.remove(["a", "b"]).catch((error) => error)).toMatchObject({
        status: 500,
        code: "AccessDenied",
      });
    }
  });

  test("an upload does not start without an id", async () => {
    for (const text of [notXml, lateError]) {
      reply = text;
      expect(await multiparts.start("key").catch((error) => error)).toMatchObject({ status: 500 });
    }
    reply = `\n${HEADER}<InitiateMultipartUploadResult><UploadId>a&amp;b</UploadId></InitiateMultipartUploadResult>\n`;
    expect((await multiparts.start("key")).multipart.uploadId).toBe("a&b");
  });

  test("a completion succeeds unless the store reports an error", async () => {
    for (const text of [
      "",
      notXml,
      `${HEADER}<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>`,
    ]) {
      reply = text;
      await multipart.complete(['"e"'], 1);
    }
    reply = lateError;
    expect(await multipart.complete(['"e"'], 1).catch((error) => error)).toMatchObject({
      name: "S3Error",
      status: 500,
    });
  });

  test("a copy has an ETag", async () => {
    reply = `${HEADER}<CopyPartResult><ETag>&quot;e&quot;</ETag></CopyPartResult>`;
    expect(await multipart.copy(1, "from", { start: 0, end: 1 })).toBe('"e"');
    for (const text of [notXml, lateError]) {
      reply = text;
      const copied = multipart.copy(1, "from", { start: 0, end: 1 });
      expect(await copied.catch((error) => error)).toMatchObject({ status: 500 });
    }
  });
});
