import { describe, expect, test } from "bun:test";
import { s3PlaceOf } from "./s3-place.ts";
import { S3_CLIENTS, type S3Access, type S3Client } from "./s3-snippets.ts";

const access = (changes: Partial<S3Access> = {}): S3Access => ({
  ...{ accessKeyId: "ID", secretAccessKey: "SECRET", endpoint: "https://files.example.com:8443" },
  bucket: "photos",
  prefix: "",
  canWrite: true,
  canCreate: true,
  ...changes,
});

const codeOf = (client: S3Client, changes: Partial<S3Access> = {}): string =>
  S3_CLIENTS[client](access(changes))
    .map(({ code }) => code)
    .join("\n");

const isClient = (name: string): name is S3Client => Object.hasOwn(S3_CLIENTS, name);
const clients = Object.keys(S3_CLIENTS).filter(isClient);

describe.each(clients)("the snippets of %s", (client) => {
  test("have the credentials, the host, the bucket and the prefix", () => {
    for (const canWrite of [true, false]) {
      const code = codeOf(client, { prefix: "a/b/", canWrite });
      for (const part of ["ID", "SECRET", "files.example.com:8443", "photos", "a/b/"]) {
        const text = client === "rclone" ? part.replace(/\/$/, "") : part;
        expect(code).toContain(text);
      }
    }
  });

  test("have captions that differ", () => {
    const labels = S3_CLIENTS[client](access()).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });
});

test("names are quoted for shells and strings", () => {
  const prefix = `it's "a" b/`;
  expect(codeOf("aws-cli", { prefix })).toContain(
    `aws s3 sync ./photos 's3://photos/it'\\''s "a" b/'`,
  );
  expect(codeOf("restic", { prefix })).toContain(
    `RESTIC_REPOSITORY='s3:https://files.example.com:8443/photos/it'\\''s "a" b/restic'`,
  );
  for (const client of ["boto3", "JavaScript"] as const) {
    expect(codeOf(client, { prefix })).toContain(`"it's \\"a\\" b/`);
  }
});

test("a bucket is created only by a key that may", () => {
  expect(codeOf("aws-cli")).toContain("aws s3 mb s3://photos\n");
  for (const changes of [{ canCreate: false }, { canWrite: false }]) {
    for (const client of clients) expect(codeOf(client, changes)).not.toMatch(/ mb |create_bucket/);
  }
});

test("a key's place is its folder, if that is in a bucket", () => {
  const placeOf = (key: string | null) => s3PlaceOf({ folder: { id: "1", key } });
  expect(placeOf("photos")).toEqual({ bucket: "photos", prefix: "", canCreate: false });
  expect(placeOf("photos/a b/C")).toMatchObject({ bucket: "photos", prefix: "a b/C/" });
  for (const key of [null, "Photos", "my photos/a", "ab", "a_b/c"]) {
    expect(placeOf(key)).toBeUndefined();
  }
  expect(s3PlaceOf({ folder: null })).toMatchObject({ canCreate: true, prefix: "" });
});
