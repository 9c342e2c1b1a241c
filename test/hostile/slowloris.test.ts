import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { filePart } from "../multipart.ts";
import { openRaw } from "../raw.ts";
import { blobsOf } from "../snapshot.ts";
import { healthTimes, openSlowClients, uploadSlowly } from "./slow-clients.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.discard());

test("200 slow clients delay no others, and a slow steady upload completes", async () => {
  const slow = await openSlowClients(server, 200, 200);
  const [times, status] = await Promise.all([
    healthTimes(server, 50, 20),
    uploadSlowly(server, 60_000, 20_000),
  ]);
  expect(times).toHaveLength(50);
  expect(status).toBe(200);
  expect(slow.droppedInBody).toBe(0);
  expect((await api(server).list()).map(({ name, size }) => [name, size])).toEqual([
    ["steady.bin", 60_000],
  ]);
  slow.discard();
  await eventually(
    "the slow clients' partial uploads are removed",
    () => blobsOf(server.dataPath).length === 1,
  );
  expect(server.output()).not.toContain("Unexpected server error");
});

const publicOperations = Object.values<Operation>(operations).filter(
  ({ access, body }) => access === "anyone" && body !== undefined,
);

test.each(publicOperations.map(({ method, path }) => [method, path] as const))(
  "%s %s rejects an unauthenticated request after the first 16 KiB of its body",
  async (method, path) => {
    const length = 20 * 1024;
    const start = `${method} ${path} HTTP/1.1\r\nHost: a\r\n`;
    const announced = `${start}Content-Length: ${length}\r\n\r\n`;
    const chunk = `1000\r\n${"x".repeat(0x1000)}\r\n`;
    // Neither request is ever complete.
    for (const request of [
      announced,
      `${start}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`,
    ]) {
      const connection = await openRaw(server.port);
      connection.send(request);
      expect((await connection.answer()).status).toBe(413);
      connection.destroy();
    }
  },
);

test("an unknown sender has at most 100 bodies open, and others are served", async () => {
  // Each process counts for itself.
  const server = await startServer({ WORKERS: "1" });
  const post = `Host: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
  const open = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const connection = await openRaw(server.port);
      connection.send(`POST /auth/sign-in HTTP/1.1\r\n${post}`);
      return connection;
    }),
  );
  const isRefused = async (): Promise<boolean> => {
    const next = await openRaw(server.port);
    next.send(`POST /auth/sign-in HTTP/1.1\r\n${post}${"x".repeat(100)}`);
    const { status } = await next.answer();
    next.destroy();
    return status === 429;
  };
  await eventually("the server has received all of them", isRefused);
  expect((await api(server).upload([filePart("meanwhile.txt", "x")])).status).toBe(200);
  for (const connection of open) connection.destroy();
  await eventually("their places are free", async () => !(await isRefused()));
  await server.discard();
});
