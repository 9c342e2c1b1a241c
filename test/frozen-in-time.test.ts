import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import {
  type PostgresServer,
  startPostgresServer,
} from "../server/catalog/postgres/server.fixture.ts";
import { GRACE_MS } from "../server/commands/shutdown.ts";
import { api, send } from "./client.ts";
import { countLines, untilReady, useFreezableStore } from "./frozen.fixture.ts";
import { startServer, type TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { filePart } from "./multipart.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

/** 4.5 seconds, and more for a busy machine. */
const IN_TIME_MS = 8000;
/** For what does not wait for the store. */
const WITHOUT_STORE_MS = 2500;
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

const upload = (server: TestServer, n: number): Promise<HttpResponse> =>
  api(server).upload([filePart(`new-${n}.txt`, "new")]);

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

describe.skipIf(!hasS3Server)("while the S3 store hangs writes and answers reads", () => {
  const store = useFreezableStore();

  test("uploads get 503 in time, deletions do not wait, and it is not ready", async () => {
    const { server, freeze, thaw } = store();
    await api(server).put("there.bin", new Uint8Array(400_000).fill(7));
    const files = await Promise.all([1, 2, 3, 4, 5].map((n) => api(server).put(`old-${n}.txt`)));
    freeze("writes");
    const from = performance.now();
    const remove = async (id: string): Promise<number> =>
      (await api(server).json("DELETE", "/api/files", { id })).status;
    expect(await Promise.all(files.map(({ id }) => remove(id)))).toEqual([200, 200, 200, 200, 200]);
    expect(performance.now() - from).toBeLessThan(WITHOUT_STORE_MS);
    const uploads = () => Array.from({ length: 10 }, (_, n) => upload(server, n));
    await expect503InTime(uploads());
    await expect503InTime([...uploads(), send(server, "GET", "/api/health/ready")]);
    expect((await send(server, "GET", "/api/hosting/there.bin")).bytes.length).toBe(400_000);
    thaw();
    await untilReady(server);
    await api(server).put("after.txt");
    expect(countLines(server, "S3: the store has carried out no change")).toBe(1);
    expect(countLines(server, "S3: the store carries out changes again")).toBe(1);
    expect(countLines(server, "S3: the store has not replied")).toBe(0);
  });

  test("SIGTERM ends the server after the grace period", async () => {
    const { server, freeze } = store();
    const { id } = await api(server).put("last.txt");
    freeze("writes");
    expect((await api(server).json("DELETE", "/api/files", { id })).status).toBe(200);
    const pending = upload(server, 1).catch(() => undefined);
    const from = performance.now();
    await server.stop();
    expect(performance.now() - from).toBeLessThan(GRACE_MS + 6000);
    await pending;
  });
});

describe.skipIf(!hasS3Server)("while half of the connections to S3 hang", () => {
  const store = useFreezableStore();

  test("each request is sent again on a new connection", async () => {
    const { server, freeze, thaw } = store();
    await api(server).put("there.bin", new Uint8Array(400_000).fill(7));
    freeze("every second request");
    for (let n = 0; n < 4; n += 1) {
      const from = performance.now();
      await api(server).put(`new-${n}.txt`, `new ${n}`);
      expect((await send(server, "GET", "/api/hosting/there.bin")).bytes.length).toBe(400_000);
      // Up to four requests to the store, each of which hangs for two seconds, not until its timeout.
      expect(performance.now() - from).toBeLessThan(4 * 2000 + IN_TIME_MS);
    }
    thaw();
    expect((await send(server, "GET", "/api/hosting/new-3.txt")).text).toBe("new 3");
  });
});
