import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { createS3Blobs } from "./s3.ts";

const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
let status = 404;
let text = "";
/** A store that lists, behind a proxy that does not find it for objects. */
const store = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) =>
    url.includes("list-type")
      ? new Response("<ListBucketResult></ListBucketResult>")
      : new Response(text, { status }),
});
const blobs = await createS3Blobs({
  settings: {
    endpoint: store.url.origin,
    bucket: "files",
    region: "us-east-1",
    accessKeyId: "id",
    secretAccessKey: "secret",
    forcePathStyle: true,
    timeout: 2000,
  },
  staging,
  onTrouble: () => {},
});
afterAll(async () => {
  await store.stop(true);
  await rm(staging, { recursive: true });
});

const scan = () => blobs.scan(blobId(1, 1), () => undefined);

test.each([404, 408, 421, 502, 503, 504])(
  "a response %d that a proxy sends says nothing about an object",
  async (given) => {
    [status, text] = [given, "<html>nginx</html>"];
    const fault = await scan().then(
      (outcome) => outcome,
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ kind: "unavailable" });
  },
);

test("an object is absent when the store says so, and unreadable when only its reads fail", async () => {
  [status, text] = [404, "<Error><Code>NoSuchKey</Code></Error>"];
  expect(await scan()).toBe("absent");
  [status, text] = [500, "<Error><Code>InternalError</Code></Error>"];
  expect(await scan()).toBe("unreadable");
});
