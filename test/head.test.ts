import { afterAll, expect, test } from "bun:test";
import { api } from "./client.ts";
import { startServer } from "./harness.ts";
import { type RawHttpResponse, raw } from "./raw.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const file = await a.put("head/file.txt", "content");
const secret = await a.put("head/secret.txt", "content", { visibility: "private" });
const empty = await a.put("head/empty.bin", "");

/** All headers but the date, sorted. */
const comparable = (answer: RawHttpResponse) =>
  answer.headers
    .filter(([name]) => name !== "date" && name !== "x-request-id")
    .map((pair) => pair.join(": "))
    .sort();

test.each([
  "/api/files",
  "/api/files?limit=-1",
  `/api/files?id=${file.id}`,
  "/api/files?id=nope",
  "/api/files?name=file.txt",
  "/api/folders",
  "/api/folders?key=head",
  "/api/folders?key=nope",
  "/api/health",
  "/api/openapi.json",
  `/${file.url}`,
  `/${file.url}?download=1`,
  `/${secret.url}`,
  `/${empty.url}`,
  "/api/hosting/nope",
  `/api/files/download/${file.id}`,
  `/api/files/download/${secret.id}`,
  `/api/files/download/${empty.id}`,
  "/api/files/download/nope",
  "/api/unknown",
])("HEAD %s has GET's status and headers, and no body", async (target) => {
  for (const key of [server.apiKey, "wrong"]) {
    const headers = { "API-Key": key };
    const get = await raw(server.port, "GET", target, headers);
    const head = await raw(server.port, "HEAD", target, headers);
    expect(head.status).toBe(get.status);
    expect(comparable(head)).toEqual(comparable(get));
    expect(head.excess.length).toBe(0);
    expect(get.header("content-length")).toBe(String(get.bytes.length));
  }
});
