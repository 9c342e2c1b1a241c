import { afterAll, expect, test } from "bun:test";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { openRaw } from "../raw.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, formDraft, signForm, signHeader } from "./sign-request.ts";

const server = await startS3Server();
const a = api(server);
await a.json("POST", "/api/folders", { folder: "bucket" });
afterAll(() => server.discard());

test.each([1000, 200_000])(
  "a put of %d bytes that is cut stores nothing, and is no server error",
  async (size) => {
    const path = `/bucket/cut-${size}.bin`;
    const draft = signHeader(
      {
        method: "PUT",
        path,
        query: "",
        body: Buffer.alloc(size, "x"),
        headers: { host: `127.0.0.1:${server.port}` },
      },
      server.credentials,
    );
    const bytes = Buffer.from(bytesOf(draft));
    const connection = await openRaw(server.port);
    connection.send(bytes.subarray(0, bytes.length - 10));
    // Nothing shows that the request has begun.
    await Bun.sleep(100);
    connection.destroy();
    await eventually("the failed put is recorded", async () => {
      const { text } = await a.get("/api/activity?action=uploadFiles");
      return text.includes(path.slice(1)) && text.includes('"status":400');
    });
    expect((await a.get(`/api/files?name=cut-${size}.bin`)).text).toContain('"files":[]');
    expect(server.output()).not.toContain("Unexpected server error");
  },
);

test("a form that is cut stores nothing, and is recorded as a put is", async () => {
  const conditions = [{ bucket: "bucket" }, { key: "cut-form.bin" }];
  const fields = signForm([["key", "cut-form.bin"]], conditions, server.credentials);
  const host = `127.0.0.1:${server.port}`;
  const bytes = bytesOf(formDraft("/bucket", fields, "x".repeat(200_000), host));
  const connection = await openRaw(server.port);
  connection.send(bytes.subarray(0, bytes.length - 1000));
  // Nothing shows that the request has begun.
  await Bun.sleep(100);
  connection.destroy();
  await eventually("the failed form is recorded", async () => {
    const { text } = await a.get("/api/activity?action=uploadFiles");
    return text.includes("bucket/cut-form.bin") && text.includes('"status":400');
  });
  expect((await a.get("/api/files?name=cut-form.bin")).text).toContain('"files":[]');
});

test("a put whose key is revoked before its last byte stores nothing", async () => {
  const { id, ...credentials } = await createS3Key(server, { actions: ["write"] });
  const draft = signHeader(
    {
      method: "PUT",
      path: "/bucket/revoked.bin",
      query: "",
      body: Buffer.alloc(1000, "x"),
      headers: { host: `127.0.0.1:${server.port}` },
    },
    credentials,
  );
  const bytes = Buffer.from(bytesOf(draft));
  const connection = await openRaw(server.port);
  connection.send(bytes.subarray(0, bytes.length - 10));
  // Longer than a request goes on without its key being looked up again.
  await Bun.sleep(300);
  expect((await a.json("DELETE", "/api/keys", { id })).status).toBe(200);
  connection.send(bytes.subarray(bytes.length - 10));
  const answer = await connection.answer();
  expect(answer).toMatchObject({ status: 403 });
  expect(answer.text).toContain("InvalidAccessKeyId");
  expect((await a.get("/api/files?name=revoked.bin")).text).toContain('"files":[]');
});
