import { afterAll, expect, test } from "bun:test";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, type Draft, type Signing, signHeader } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const a = api(server);

const putAcl = (name: string, signing: Signing) => {
  const draft: Draft = {
    ...{ method: "PUT", path: "/bucket/file.txt", query: "acl=", body: Buffer.alloc(0) },
    headers: { host: `127.0.0.1:${server.port}`, "x-amz-acl": name },
  };
  return rawRequest(server.port, bytesOf(signHeader(draft, signing)));
};

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
      ...{ outcome: "done", detail: { visibility: "public" } },
      subject: { kind: "file", id: file.id, key: "bucket/file.txt" },
    },
  ]);
});
