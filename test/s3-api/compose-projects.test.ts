import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { freePort } from "../free-port.fixture.ts";
import { type Environment, startServer, type TestServer } from "../harness.ts";
import { rawRequest } from "../raw.ts";
import { bytesOf, type Draft, presign, signHeader } from "./sign-request.ts";

/*
 * Public projects whose compose files bring MinIO, with Holdall in its place: the variables of their service
 * stay, and the requests of their setup scripts are sent as `mc` sends them. docs/in-place-of-minio.md has the
 * lines that change.
 */

const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.discard())));

interface Sent {
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
}

/** Starts the service of a compose file, which clients reach as `HOST:9000`. */
async function startService(host: string, env: Environment) {
  const s3Port = await freePort();
  servers.push(await startServer({ ...env, S3_PORT: String(s3Port) }));
  const credentials = {
    accessKeyId: env.MINIO_ROOT_USER ?? "",
    secretAccessKey: env.MINIO_ROOT_PASSWORD ?? "",
  };
  const draftOf = (method: string, path: string, sent: Sent): Draft => ({
    ...{ method, path, query: sent.query ?? "", body: Buffer.from(sent.body ?? "") },
    headers: { host: `${sent.host ?? host}:9000`, ...sent.headers },
  });
  const ask = async (draft: Draft) => {
    const answer = await rawRequest(s3Port, bytesOf(draft));
    return { ...answer, code: /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] };
  };
  const signed = (method: string, path: string, sent: Sent = {}) =>
    ask(signHeader(draftOf(method, path, sent), credentials));
  const unsigned = (method: string, path: string, sent: Sent = {}) =>
    ask(draftOf(method, path, sent));

  return {
    signed,
    unsigned,
    presigned: (method: string, path: string, sent: Sent = {}) =>
      ask(presign({ ...draftOf(method, path, sent) }, credentials)),
    /** `mc ready`, which needs no credentials. */
    ready: async () => (await unsigned("GET", "/minio/health/cluster")).status,
    /** `mc alias set` or `mc config host add`: asks for a bucket that nobody has. */
    async alias() {
      const probe = `/probe-bsign-${crypto.randomUUID().slice(0, 8)}`;
      const location = await signed("GET", `${probe}/`, { query: "location=" });
      return [location.code, (await signed("HEAD", `${probe}/`)).status];
    },
    /** `mc mb`. */
    makeBucket: async (bucket: string) => (await signed("PUT", `/${bucket}/`)).status,
    /** `mc anonymous set download`: reads the policy, and adds to it. */
    async setDownload(bucket: string) {
      const { code } = await signed("GET", `/${bucket}/`, { query: "policy=" });
      const statement = (Action: string[], Resource: string) => ({
        ...{ Effect: "Allow", Principal: { AWS: ["*"] }, Action, Resource: [Resource] },
      });
      const body = JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          statement(["s3:GetBucketLocation", "s3:ListBucket"], `arn:aws:s3:::${bucket}`),
          statement(["s3:GetObject"], `arn:aws:s3:::${bucket}/*`),
        ],
      });
      const put = await signed("PUT", `/${bucket}/`, { query: "policy=", body });
      return [code, put.status];
    },
  };
}

describe("revoltchat/self-hosted", () => {
  test("its script makes the bucket, which its file server addresses by host", async () => {
    const service = await startService("minio", {
      MINIO_ROOT_USER: "minioautumn",
      MINIO_ROOT_PASSWORD: "minioautumn",
      MINIO_DOMAIN: "minio",
    });
    expect(await service.ready()).toBe(200);
    expect(await service.alias()).toEqual(["NoSuchBucket", 404]);
    expect(await service.makeBucket("revolt-uploads")).toBe(200);
    // At the second start of the compose file, the script runs again.
    expect(await service.makeBucket("revolt-uploads")).toBe(200);
    const host = "revolt-uploads.minio";
    const put = await service.signed("PUT", "/attachments/1", { host, body: "encrypted" });
    expect(put.status).toBe(200);
    const got = await service.signed("GET", "/attachments/1", { host });
    expect([got.status, got.text]).toEqual([200, "encrypted"]);
    expect((await service.unsigned("GET", "/attachments/1", { host })).status).toBe(403);
  });
});

describe("makeplane/plane", () => {
  test("its script makes a bucket that everyone may read, and nobody may write", async () => {
    const service = await startService("plane-minio", {
      MINIO_ROOT_USER: "access-key",
      MINIO_ROOT_PASSWORD: "secret-key",
    });
    expect(await service.alias()).toEqual(["NoSuchBucket", 404]);
    expect(await service.makeBucket("uploads")).toBe(200);
    expect(await service.setDownload("uploads")).toEqual(["NoSuchBucketPolicy", 204]);
    const put = await service.signed("PUT", "/uploads/cover.png", {
      body: "image",
      headers: { "content-type": "image/png" },
    });
    expect(put.status).toBe(200);
    // Its proxy passes /uploads on, without a signature.
    const got = await service.unsigned("GET", "/uploads/cover.png");
    expect([got.status, got.header("content-type"), got.text]).toEqual([200, "image/png", "image"]);
    expect((await service.unsigned("PUT", "/uploads/other.png", { body: "x" })).status).toBe(403);
    expect(await service.setDownload("uploads")).toEqual([undefined, 204]);
  });

  test("a script that lets strangers write is told why it cannot", async () => {
    const service = await startService("plane-minio", {
      MINIO_ROOT_USER: "access-key",
      MINIO_ROOT_PASSWORD: "secret-key",
    });
    await service.makeBucket("uploads");
    const body = JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { AWS: ["*"] },
          Action: ["s3:PutObject"],
          Resource: ["arn:aws:s3:::uploads/*"],
        },
      ],
    });
    const put = await service.signed("PUT", "/uploads/", { query: "policy=", body });
    expect([put.status, put.code, put.text]).toEqual([
      501,
      "NotImplemented",
      expect.stringContaining("s3:PutObject"),
    ]);
    expect((await service.unsigned("PUT", "/uploads/x", { body: "x" })).status).toBe(403);
  });
});

describe("langfuse/langfuse", () => {
  const startLangfuse = (secret: string) =>
    startService("minio", {
      MINIO_ROOT_USER: "minio",
      MINIO_ROOT_PASSWORD: secret,
      // In place of `mkdir -p /data/langfuse` before the start.
      INITIAL_BUCKETS: "langfuse",
    });
  const Origin = "http://localhost:3000";

  test("its bucket is there, and its servers use it", async () => {
    const { signed } = await startLangfuse("miniosecret");
    const md5 = createHash("md5").update("{}").digest("base64");
    const put = await signed("PUT", "/langfuse/events/a.json", {
      body: "{}",
      headers: { "content-md5": md5 },
    });
    expect(put.status).toBe(200);
    const list = await signed("GET", "/langfuse/", { query: "list-type=2&prefix=events%2F" });
    expect(list.text).toContain("<Key>events/a.json</Key>");
  });

  test.each([
    ["miniosecret", null],
    ["a-random-secret-of-your-own", "*"],
  ])(
    "its page uploads media by a presigned URL, with the secret %s, from origin %p",
    async (secret, origin) => {
      const { presigned, unsigned } = await startLangfuse(secret);
      const preflight = await unsigned("OPTIONS", "/langfuse/media/a.png", {
        query: "X-Amz-Signature=x",
        headers: {
          origin: Origin,
          "access-control-request-method": "PUT",
          "access-control-request-headers": "content-type,x-amz-checksum-sha256",
        },
      });
      expect(preflight.header("access-control-allow-origin")).toBe(origin);
      const put = await presigned("PUT", "/langfuse/media/a.png", { body: "image" });
      expect(put.status).toBe(200);
      const fromPage = await unsigned("GET", "/langfuse/media/a.png", {
        headers: { origin: Origin },
      });
      expect(fromPage.status).toBe(403);
    },
  );
});
