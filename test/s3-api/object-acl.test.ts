import { afterAll, expect, test } from "bun:test";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, type Draft, type Signing, signHeader } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const a = api(server);

const putAcl = (name: string, signing: Signing, path = "/bucket/file.txt") => {
  const draft: Draft = {
    method: "PUT",
    path,
    query: "acl=",
    body: Buffer.alloc(0),
    headers: { host: `127.0.0.1:${server.port}`, "x-amz-acl": name },
  };
  return rawRequest(server.port, bytesOf(signHeader(draft, signing)));
};

test("without an ACL, an object gets the default of its folder, and a private one stays private", async () => {
  const send = (name: string, more: Record<string, string> = {}) => {
    const draft: Draft = {
      method: "PUT",
      path: `/shop/site/${name}`,
      query: "",
      body: Buffer.from("content"),
      headers: { host: `127.0.0.1:${server.port}`, ...more },
    };
    return rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
  };
  const visibilityOf = async (name: string) => {
    const answer = await a.get(`/api/files?key=shop/site/${name}`);
    return JSON.parse(answer.text).data.file.visibility;
  };
  const { id } = await a.folder("shop/site");
  await send("old.html");
  expect(await visibilityOf("old.html")).toBe("private");
  await a.json("PUT", "/api/folders", { id, defaultVisibility: "public" });
  await send("new.html");
  await send("old.html");
  await send("copy.html", { "x-amz-copy-source": "/shop/site/old.html" });
  await send("closed.html", { "x-amz-acl": "private" });
  expect(
    await Promise.all(["new", "old", "copy", "closed"].map((each) => visibilityOf(`${each}.html`))),
  ).toEqual(["public", "private", "private", "private"]);
});

test("an object copied in parts from a private one stays private in a folder with public files", async () => {
  await a.put("parts/secret.html", "content", { visibility: "private" });
  await a.put("parts/open.html", "content", { visibility: "public" });
  const { id } = await a.folder("parts/site");
  await a.json("PUT", "/api/folders", { id, defaultVisibility: "public" });
  const copyOf = async (name: string) => {
    const request = async (method: string, query: string, more: object = {}, body = "") => {
      const draft: Draft = {
        method,
        path: `/parts/site/${name}`,
        query,
        body: Buffer.from(body),
        headers: { host: `127.0.0.1:${server.port}`, ...more },
      };
      const answer = await rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
      expect(answer.status).toBe(200);
      return answer.received.toString();
    };
    const made = await request("POST", "uploads=");
    const [, upload = ""] = /<UploadId>([^<]+)</.exec(made) ?? [];
    const source = { "x-amz-copy-source": `/parts/${name}` };
    const copied = await request("PUT", `partNumber=1&uploadId=${upload}`, source);
    const [, etag = ""] = /<ETag>([^<]+)</.exec(copied) ?? [];
    const part = `<Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part>`;
    const list = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    await request("POST", `uploadId=${upload}`, {}, list);
    const { text } = await a.get(`/api/files?key=parts/site/${name}`);
    return JSON.parse(text).data.file.visibility;
  };
  expect(await copyOf("secret.html")).toBe("private");
  expect(await copyOf("open.html")).toBe("public");
});

test("PutObjectAcl changes the visibility, which the activity log has", async () => {
  const file = await a.put("bucket/file.txt", "content", { visibility: "private" });
  expect((await putAcl("public-read", server.credentials)).status).toBe(200);
  expect((await a.file(file.id)).visibility).toBe("public");
  const reader = await createS3Key(server, { actions: ["list", "read"] });
  expect((await putAcl("private", reader)).status).toBe(403);
  expect((await a.file(file.id)).visibility).toBe("public");
  let entries: unknown[] = [];
  await eventually("both changes are recorded", async () => {
    const { text } = await a.get("/api/activity?action=changeFile");
    entries = JSON.parse(text).data.activity;
    return entries.length === 2;
  });
  expect(entries).toMatchObject([
    { outcome: "failed", subject: { key: "bucket/file.txt" }, actor: { id: reader.id } },
    {
      outcome: "done",
      detail: { visibility: "public" },
      subject: { kind: "file", id: file.id, key: "bucket/file.txt" },
    },
  ]);
});

test("PutObjectAcl finds the file that has the key, also while another one takes its place", async () => {
  for (let round = 0; round < 20; round += 1) {
    const folder = `takeover/${round}`;
    await a.put(`${folder}/file.txt`, "old", { visibility: "private" });
    await a.put(`${folder}/new.txt`, "new", { visibility: "private" });
    const moving = a.json("PUT", "/api/files", {
      key: `${folder}/new.txt`,
      name: "file.txt",
      onConflict: "replace",
    });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await Bun.sleep(index / 2);
        return (await putAcl("public-read", server.credentials, `/${folder}/file.txt`)).status;
      }),
    );
    expect((await moving).status).toBe(200);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }
});
