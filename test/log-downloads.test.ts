import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { GetObjectCommand, HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";

/* The setting `logDownloads`. */

const server = await startS3Server();
afterAll(() => server.discard());
const a = api(server);
const withKey = { "API-Key": server.apiKey };

const entries = z.object({
  activity: z.array(
    z.object({
      action: z.string(),
      actor: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
      address: z.string().nullable(),
      subject: z.object({ kind: z.string(), id: z.string().nullable() }).nullable(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
});
const readLog = async () =>
  expectData(await a.get("/api/activity?action=download&limit=100"), entries).activity;

/** All entries of downloads before the call, which are written a moment later. */
async function logged() {
  const { url, id } = await a.put(`${unique("last")}/a`, "last", { visibility: "private" });
  expect((await send(server, "GET", `/${url}`, withKey)).status).toBe(200);
  let found = await readLog();
  await eventually("the last download is in the log", async () => {
    found = await readLog();
    return found.some(({ subject }) => subject?.id === id);
  });
  return found.filter(({ subject }) => subject?.id !== id);
}

const loggedOf = async (id: string) => (await logged()).filter((entry) => entry.subject?.id === id);

async function setTo(isOn: boolean): Promise<void> {
  const answer = await a.json("PUT", "/api/settings", { logDownloads: isOn });
  expect(answer.status, answer.text).toBe(200);
}

test("is off until it is turned on", async () => {
  const file = await a.put(`${unique("off")}/a.txt`, "secret", { visibility: "private" });
  expect((await send(server, "GET", `/${file.url}`, withKey)).text).toBe("secret");
  await setTo(true);
  expect(await loggedOf(file.id)).toEqual([]);
});

describe("while it is on", () => {
  beforeAll(() => setTo(true));

  test("a private file that a key downloads has an entry, a public one has none", async () => {
    const folder = unique("key");
    const secret = await a.put(`${folder}/a.txt`, "secret", { visibility: "private" });
    const open = await a.put(`${folder}/b.txt`, "open", { visibility: "public" });
    for (const { url, id } of [secret, open]) {
      expect((await send(server, "GET", `/${url}`, withKey)).status).toBe(200);
      expect((await send(server, "GET", `/api/files/download/${id}`, withKey)).status).toBe(200);
      expect((await send(server, "HEAD", `/${url}`, withKey)).status).toBe(200);
    }
    expect(await loggedOf(open.id)).toEqual([]);
    // A request to the hosting URL and a download of the same file make one entry.
    expect(await loggedOf(secret.id)).toEqual([
      {
        action: "download",
        actor: { kind: "key", id: expect.any(String), name: expect.any(String) },
        address: "127.0.0.1",
        subject: { kind: "file", id: secret.id },
        detail: { bytes: 6 },
      },
    ]);
  });

  test("an earlier version has an entry about its file", async () => {
    expect((await a.json("PUT", "/api/settings", { keepVersions: true })).status).toBe(200);
    const folder = unique("version");
    const { id } = await a.put(`${folder}/a.txt`, "one", { visibility: "private" });
    const path = `/api/files/content?key=${folder}/a.txt`;
    expect((await send(server, "PUT", path, withKey, "two")).status).toBe(200);
    const { versions } = expectData(
      await a.get(`/api/files/versions?id=${id}`),
      z.object({ versions: z.array(z.object({ id: z.string() })) }),
    );
    const version = await a.get(`/api/files/versions/content?id=${versions[0]?.id}`);
    expect(version.text).toBe("one");
    expect(await loggedOf(id)).toMatchObject([{ actor: { kind: "key" }, detail: { bytes: 3 } }]);
  });

  test("HEAD and refused requests have none", async () => {
    const { url, id } = await a.put(`${unique("head")}/a`, "secret", { visibility: "private" });
    expect((await send(server, "HEAD", `/${url}`, withKey)).status).toBe(200);
    expect((await send(server, "GET", `/${url}`)).status).toBe(404);
    const range = { ...withKey, Range: "bytes=99-" };
    expect((await send(server, "GET", `/${url}`, range)).status).toBe(416);
    expect(await loggedOf(id)).toEqual([]);
  });

  test("ranges of one file are one download, and a signed URL is nobody's", async () => {
    const { url, id } = await a.put(`${unique("signed")}/a`, "secret", { visibility: "private" });
    const signed = await a.json("POST", "/api/files/sign", { id });
    const { url: address } = expectData(signed, z.object({ url: z.string() }));
    for (const range of ["bytes=0-1", "bytes=2-3", "bytes=4-5"]) {
      expect((await send(server, "GET", `/${address}`, { Range: range })).status).toBe(206);
    }
    expect((await loggedOf(id)).map(({ actor }) => actor.kind)).toEqual(["none"]);
    expect((await send(server, "GET", `/${url}`, withKey)).status).toBe(200);
    expect((await loggedOf(id)).map(({ actor }) => actor.kind).toSorted()).toEqual(["key", "none"]);
  });

  test("a private object has an entry of the key that signed the request", async () => {
    const bucket = unique("bucket");
    const { id } = await a.put(`${bucket}/a.txt`, "secret", { visibility: "private" });
    const { url: endpoint, credentials } = server;
    const client = new S3Client({
      endpoint,
      credentials,
      region: "us-east-1",
      forcePathStyle: true,
    });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "a.txt" }));
    expect(await Body?.transformToString()).toBe("secret");
    expect(await loggedOf(id)).toMatchObject([{ actor: { kind: "key" }, address: "127.0.0.1" }]);
  });

  test("an object that has not changed has none", async () => {
    const bucket = unique("unchanged");
    const { id } = await a.put(`${bucket}/a.txt`, "secret", { visibility: "private" });
    const { url: endpoint, credentials } = server;
    const client = new S3Client({
      endpoint,
      credentials,
      region: "us-east-1",
      forcePathStyle: true,
    });
    const object = { Bucket: bucket, Key: "a.txt" };
    const { ETag: IfNoneMatch } = await client.send(new HeadObjectCommand(object));
    const unchanged = client.send(new GetObjectCommand({ ...object, IfNoneMatch }));
    await expect(unchanged).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
    expect(await loggedOf(id)).toEqual([]);
  });

  test("whatever is downloaded through a link has an entry of its visitor", async () => {
    const folder = unique("shared");
    const { id } = await a.put(`${folder}/a.txt`, "open", { visibility: "public" });
    const made = await a.json("POST", "/api/links", { folder, title: "Photos" });
    const { link } = expectData(made, z.object({ link: z.object({ url: z.string() }) }));
    const path = `/${link.url}`;
    expect((await send(server, "GET", `${path}/a.txt`)).text).toBe("open");
    expect((await send(server, "GET", `${path}?zip=1`)).status).toBe(200);
    const found = await logged();
    const [file] = found.filter(({ subject }) => subject?.id === id);
    expect(file).toMatchObject({ actor: { kind: "link", name: "Photos" }, address: "127.0.0.1" });
    const zips = found.filter(({ detail }) => detail.zip !== undefined);
    expect(zips).toMatchObject([{ actor: { kind: "link" }, detail: { zip: "Photos.zip" } }]);
  });
});

test("has none any more after it is turned off", async () => {
  await setTo(false);
  const { url, id } = await a.put(`${unique("off")}/a`, "secret", { visibility: "private" });
  expect((await send(server, "GET", `/${url}`, withKey)).status).toBe(200);
  await setTo(true);
  expect(await loggedOf(id)).toEqual([]);
});
