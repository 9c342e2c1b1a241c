import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minioArguments } from "../commands/minio-arguments.ts";
import { fromMinio } from "./minio-environment.ts";
import { readConfig } from "./read-config.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-minio-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (given: Readonly<Record<string, string>>) => {
  const { env, names } = fromMinio(given);
  return readConfig(env, names);
};

const PAIR = { accessKeyId: "minio", secretAccessKey: "a-secret-of-twenty-one" };

test.each([
  ["MINIO_ROOT_USER", "MINIO_ROOT_PASSWORD"],
  ["MINIO_ACCESS_KEY", "MINIO_SECRET_KEY"],
])("%s and %s are the credentials, and open the port of MinIO", (user, password) => {
  const config = read({ [user]: PAIR.accessKeyId, [password]: PAIR.secretAccessKey });
  expect(config).toMatchObject({ initialS3: PAIR, s3Port: 9000, minioNames: [user, password] });
});

test("secrets may be in files", () => {
  const file = join(folder, "password");
  writeFileSync(file, `${PAIR.secretAccessKey}\n`);
  const config = read({ MINIO_ROOT_USER: "minio", MINIO_ROOT_PASSWORD_FILE: file });
  expect(config.initialS3).toEqual(PAIR);
  expect(() => read({ MINIO_ROOT_USER: "minio", MINIO_ROOT_PASSWORD_FILE: "/missing" })).toThrow(
    'MINIO_ROOT_PASSWORD_FILE is "/missing", but must be',
  );
});

test("our own names win, and mistakes have the name that was set", () => {
  const own = { INITIAL_S3_ACCESS_KEY: "own", INITIAL_S3_SECRET_KEY: PAIR.secretAccessKey };
  const config = read({ ...own, MINIO_ROOT_USER: "theirs", MINIO_ROOT_PASSWORD: "theirs-too" });
  expect(config).toMatchObject({ initialS3: { accessKeyId: "own" }, s3Port: null, minioNames: [] });
  expect(() => read({ MINIO_ROOT_USER: "minio", MINIO_ROOT_PASSWORD: "short" })).toThrow(
    "MINIO_ROOT_PASSWORD is 5 characters long, but must be 8 to 512",
  );
  expect(() => read({ MINIO_ROOT_USER: "minio" })).toThrow("INITIAL_S3_SECRET_KEY is not set");
  expect(() => read({ MINIO_DEFAULT_BUCKETS: "a-bucket:public" })).toThrow("strangers could write");
});

test("buckets may be separated as in other images", () => {
  const { initialBuckets } = read({ MINIO_DEFAULT_BUCKETS: "one; two:download three:none" });
  expect(initialBuckets).toEqual([
    { name: "one", isPublic: false },
    { name: "two", isPublic: true },
    { name: "three", isPublic: false },
  ]);
});

test("S3_PORT must differ from PORT", () => {
  expect(() => read({ S3_PORT: "3000" })).toThrow("another port than PORT");
});

test("the command line of MinIO gives the folder and the ports", () => {
  const console = { "console-address": ":9001" };
  expect(minioArguments(["/data"], console)).toEqual({
    DATA_PATH: "/data",
    S3_PORT: "9000",
    PORT: "9001",
  });
  expect(minioArguments([], { address: "0.0.0.0:9010" })).toEqual({
    S3_PORT: "9010",
    HOST: "0.0.0.0",
  });
  for (const paths of [["/a", "/b"], ["/data{1...4}"], ["http://minio{1...4}/data"]]) {
    expect(() => minioArguments(paths, {})).toThrow("one folder");
  }
  expect(() => minioArguments(["/data"], { address: "9000" })).toThrow("--address must be a port");
  expect(() => minioArguments(["/data"], { "certs-dir": "/certs" })).toThrow("proxy with TLS");
});
