import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Client } from "minio";
import { api, send } from "../client.ts";
import { eventually } from "../expectations.ts";
import { freePort } from "../free-port.fixture.ts";
import { run, startServer, temporaryFolder } from "../harness.ts";

const SECRET = "known-before-the-first-start";
const s3Port = await freePort();
const server = await startServer({
  MINIO_ROOT_USER: "compose",
  MINIO_ROOT_PASSWORD: SECRET,
  MINIO_DEFAULT_BUCKETS: "uploads,assets:download",
  S3_PORT: String(s3Port),
});
afterAll(() => server.discard());

const endpoint = `http://127.0.0.1:${s3Port}`;
const credentials = { accessKeyId: "compose", secretAccessKey: SECRET };
const clientOf = (secretAccessKey = SECRET, url = endpoint) =>
  new S3Client({
    endpoint: url,
    credentials: { ...credentials, secretAccessKey },
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
  });
const statusOf = async (path: string, method = "GET") =>
  (await fetch(`${endpoint}${path}`, { method })).status;

describe("credentials and buckets of the environment", () => {
  test("are there at the first start, at both ports", async () => {
    for (const url of [endpoint, server.url]) {
      const { Buckets } = await clientOf(SECRET, url).send(new ListBucketsCommand());
      expect(Buckets?.map(({ Name }) => Name)).toEqual(["assets", "uploads"]);
    }
    const minio = new Client({
      endPoint: "127.0.0.1",
      port: s3Port,
      useSSL: false,
      accessKey: "compose",
      secretKey: SECRET,
    });
    await minio.putObject("uploads", "by-minio.txt", "content");
    expect((await minio.statObject("uploads", "by-minio.txt")).size).toBe(7);
    await clientOf().send(
      new PutObjectCommand({ Bucket: "assets", Key: "by-aws.txt", Body: "content" }),
    );
    const { Body } = await clientOf().send(
      new GetObjectCommand({ Bucket: "assets", Key: "by-aws.txt" }),
    );
    expect(await Body?.transformToString()).toBe("content");
  });

  test("are refused with another secret, and open nothing but the S3 API", async () => {
    await expect(
      clientOf("another-secret-of-this-user").send(new ListBucketsCommand()),
    ).rejects.toThrow("signature");
    for (const key of [SECRET, "compose", `compose:${SECRET}`]) {
      const { status } = await fetch(`${server.url}/api/files`, { headers: { "API-Key": key } });
      expect(status).toBe(401);
    }
  });

  test("are in the activity log under their name, and no API key", async () => {
    await eventually("the upload is recorded", async () => {
      const { text } = await api(server).get("/api/activity?action=uploadFiles");
      return text.includes("initial S3 credentials");
    });
    expect((await api(server).get("/api/keys")).text).not.toContain("initial S3 credentials");
  });

  test("end with the variables; an existing bucket keeps its settings", async () => {
    await server.restart({ MINIO_ROOT_PASSWORD: "another-secret-after-this" });
    await expect(clientOf().send(new ListBucketsCommand())).rejects.toThrow("signature");
    await server.restart({
      MINIO_ROOT_USER: undefined,
      MINIO_ROOT_PASSWORD: undefined,
      MINIO_DEFAULT_BUCKETS: undefined,
      INITIAL_BUCKETS: "uploads:download",
    });
    await expect(clientOf().send(new ListBucketsCommand())).rejects.toMatchObject({
      name: "InvalidAccessKeyId",
    });
    expect(server.output()).toContain("uploads public, but the bucket exists");
  });
});

describe("the port of the S3 API", () => {
  test("gives strangers public objects only", async () => {
    await api(server).put("assets/public.txt", "public", { visibility: "public" });
    await api(server).put("assets/private.txt", "private", { visibility: "private" });
    for (const query of ["", "?versionId=null", "?x-id=GetObject"]) {
      expect([query, await statusOf(`/assets/public.txt${query}`)]).toEqual([query, 200]);
    }
    for (const query of ["?acl", "?tagging=", "?%61ttributes", "?uploadId=x", "?versionId=x"]) {
      expect([query, await statusOf(`/assets/public.txt${query}`)]).toEqual([query, 403]);
    }
    for (const path of ["/assets/private.txt", "/assets/missing.txt", "/assets", "/"]) {
      expect([path, await statusOf(path)]).toEqual([path, 403]);
    }
    for (const method of ["PUT", "DELETE", "POST"]) {
      expect([method, await statusOf("/assets/public.txt", method)]).toEqual([method, 403]);
    }
  });

  test("has neither the dashboard nor the API, whatever the credentials", async () => {
    for (const path of ["/api/files", "/api/health", "/auth/session", "/docs", "/index.html"]) {
      const { status } = await fetch(`${endpoint}${path}`, {
        headers: { "API-Key": server.apiKey },
      });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  test("answers the health checks of MinIO, and the site does not", async () => {
    for (const path of ["live", "ready", "cluster", "cluster/read"]) {
      expect(await statusOf(`/minio/health/${path}`)).toBe(200);
      expect(await statusOf(`/minio/health/${path}`, "HEAD")).toBe(200);
    }
    expect(await statusOf("/minio/health/other")).toBe(403);
    expect((await send(server, "GET", "/minio/health/live")).status).toBe(404);
  });
});

test("refuses a port in use, and a folder of MinIO, with one sentence", async () => {
  const folder = join(temporaryFolder(), "data");
  const env = { DATA_PATH: folder, PORT: "0", HOST: "127.0.0.1" };
  const taken = await run(["serve"], { ...env, S3_PORT: String(s3Port) });
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("S3_PORT is")]);
  const old = join(temporaryFolder(), "data");
  mkdirSync(join(old, ".minio.sys"), { recursive: true });
  for (const command of [["server"], ["minio", "server"]]) {
    const refused = await run([...command, old, "--console-address", ":0"], env);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/has the data of MinIO.*`holdall import s3:/),
    ]);
  }
});
