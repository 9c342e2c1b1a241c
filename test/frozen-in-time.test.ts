import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import {
  type PostgresServer,
  startPostgresServer,
} from "../server/catalog/postgres/server.fixture.ts";
import { api, send } from "./client.ts";
import { countLines, untilReady, useFreezableStore } from "./frozen.fixture.ts";
import { startServer, type TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { filePart } from "./multipart.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

/** 4.5 seconds, and more for a busy machine. */
const IN_TIME_MS = 8000;
const noLinux = isMissing("Linux", process.platform === "linux");

/** Each request must get 503 with Retry-After before it would time out. */
async function expect503InTime(requests: readonly Promise<HttpResponse>[]): Promise<void> {
  const from = performance.now();
  const answers = await Promise.all(requests);
  expect(performance.now() - from).toBeLessThan(IN_TIME_MS);
  for (const answer of answers) {
    expect([answer.status, answer.text]).toEqual([503, answer.text]);
    expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
  }
}

describe.skipIf(noLinux)("while PostgreSQL is frozen", () => {
  let database: PostgresServer;
  let server: TestServer;

  beforeAll(async () => {
    database = await startPostgresServer();
    server = await startServer({ DATABASE_URL: await database.fresh(), WORKERS: "1" });
  });
  afterAll(async () => {
    await server.discard();
    await database.stop();
  });

  test("requests get 503 in time, later ones at once, and the log says it once", async () => {
    await api(server).put("kept.txt", "kept");
    database.freeze();
    try {
      const all = (): Promise<HttpResponse>[] => [
        send(server, "GET", "/api/health/ready"),
        ...Array.from({ length: 20 }, (_, n) => [
          api(server).get("/api/files"),
          api(server).upload([filePart(`new-${n}.txt`, "new")]),
          send(server, "GET", `/api/hosting/kept-${n}.txt`),
        ]).flat(),
      ];
      await expect503InTime(all());
      await expect503InTime(all());
      expect((await send(server, "GET", "/api/health")).status).toBe(200);
    } finally {
      database.thaw();
    }
    await untilReady(server);
    expect((await send(server, "GET", "/api/hosting/kept.txt")).text).toBe("kept");
    await api(server).put("after.txt");
    expect(countLines(server, "The database does not reply")).toBe(1);
    expect(countLines(server, "The database replies again")).toBe(1);
  });
});

describe.skipIf(!hasS3Server)("while the S3 store is frozen", () => {
  const store = useFreezableStore();

  test("requests get 503 in time, later ones at once, and the log says it once", async () => {
    const { server, freeze, thaw } = store();
    await api(server).put("there.bin", new Uint8Array(400_000).fill(7));
    freeze();
    const all = (): Promise<HttpResponse>[] => [
      send(server, "GET", "/api/health/ready"),
      ...Array.from({ length: 10 }, (_, n) => [
        api(server).upload([filePart(`new-${n}.txt`, "new")]),
        send(server, "GET", "/api/hosting/there.bin"),
      ]).flat(),
    ];
    await expect503InTime(all());
    await expect503InTime(all());
    expect((await api(server).get("/api/files")).status).toBe(200);
    thaw();
    await untilReady(server);
    expect((await send(server, "GET", "/api/hosting/there.bin")).bytes.length).toBe(400_000);
    await api(server).put("after.txt");
    expect(countLines(server, "S3: the store has not replied")).toBe(1);
    expect(countLines(server, "S3: the store replies again")).toBe(1);
    expect(countLines(server, "S3: ")).toBeLessThan(8);
  });
});
