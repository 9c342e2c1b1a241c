import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send, unique } from "./client.ts";
import { startServer, type TestServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";
import { startSwitch } from "./switch.fixture.ts";
import { uploadWithTus } from "./tus-client.ts";
import { createAsTus, metadataOf, noise, sha256, stateOf } from "./upload-url.ts";

const MAX_OPEN = 20;
const RACING = 60;

describe.skipIf(!hasS3Server)("uploads to three servers on one database and one bucket", () => {
  let servers: TestServer[] = [];
  beforeAll(async () => {
    const env = {
      DATABASE_URL: await (await postgresServer()).fresh(),
      ...s3Environment(await (await s3Server()).fresh()),
      AUTH_SECRET: "of-all-servers-together-3f8c1b7e94d2",
      MAX_OPEN_UPLOADS: String(MAX_OPEN),
      RATE_LIMIT_API: "0",
    };
    servers = await Promise.all([1, 2, 3].map(() => startServer(env)));
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.discard();
  });

  const at = (number: number): TestServer => {
    const server = servers[number % servers.length];
    if (server === undefined) throw new Error("The servers have not started");
    return server;
  };
  const tally = (statuses: readonly number[]) => ({
    admitted: statuses.filter((status) => status === 201 || status === 200).length,
    refused: statuses.filter((status) => status === 429).length,
  });
  const expected = { admitted: MAX_OPEN, refused: RACING - MAX_OPEN };

  test("MAX_OPEN_UPLOADS admits exactly as many as it says when creations race", async () => {
    const folder = unique("racing");
    const created = await Promise.all(
      Array.from({ length: RACING }, async (_, number) => {
        const name = `${number}.bin`;
        if (number % 2 === 0) {
          return api(at(number)).json("POST", "/api/uploads", { folder, name, size: 10 });
        }
        const headers = { "Upload-Length": "10", ...metadataOf({ filename: name, folder }) };
        return createAsTus(at(number), headers);
      }),
    );
    expect(tally(created.map(({ status }) => status))).toEqual(expected);
    for (const answer of created) {
      const path = answer.header("location");
      if (path === null) continue;
      const headers = { "Tus-Resumable": "1.0.0" };
      expect((await send(at(0), "DELETE", path, headers)).status).toBe(204);
    }
  });

  test("tus-js-client finishes while the servers that it talks to are killed one after another", async () => {
    const bytes = noise(16_000_003);
    const folder = unique("killed");
    let active = 0;
    let kills = 0;
    const gateway = await startSwitch(at(active).port);
    try {
      const url = `http://127.0.0.1:${gateway.port}`;
      const { upload, done } = uploadWithTus({ url, apiKey: at(0).apiKey }, bytes, {
        folder,
        filename: "a.bin",
        chunkSize: 2_000_000,
        // Those of the documentation: the claim of a killed server ends before the last of them.
        retryDelays: [0, 1000, 3000, 5000],
        onProgress: (sent) => {
          // In the middle of a request.
          if (kills >= 2 || sent < 5_000_000 * (kills + 1)) return;
          kills += 1;
          const victim = at(active);
          active += 1;
          void victim.kill().then(() => gateway.to(at(active).port));
        },
      });
      upload.start();
      const path = await done;
      expect(kills).toBe(2);
      const stored = await send(at(active), "GET", `/api/hosting/${folder}/a.bin`);
      expect([stored.status, sha256(stored.bytes)]).toEqual([200, sha256(bytes)]);
      expect((await stateOf(at(active), path)).header("upload-complete")).toBe("?1");
    } finally {
      gateway.close();
      for (const number of [0, 1]) await at(number).restart();
    }
  }, 120_000);
});
