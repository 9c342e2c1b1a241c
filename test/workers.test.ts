import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { beginDownload } from "./begin-download.ts";
import { checkScopeEverywhere } from "./check-scope-everywhere.ts";
import { api, send, unique } from "./client.ts";
import { eachWorker, isAlive, type WorkerEndpoint, workersOf } from "./each-worker.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { field, filePart, multipartType, partHead } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { administrator, fromPage, signIn, trySignIn } from "./session.ts";
import { blobsOf } from "./snapshot.ts";
import { freshStores, isOnS3 } from "./test-stores.ts";

const WORKERS = 3;

// Only Linux supports several listeners on one port; elsewhere the start fails.
describe.skipIf(isMissing("Linux", process.platform === "linux"))(
  "a server with several workers",
  () => {
    let server: TestServer;
    let endpoints: WorkerEndpoint[];

    beforeAll(async () => {
      server = await startServer({ WORKERS: String(WORKERS), ...administrator });
      endpoints = await eachWorker(server);
    });
    afterAll(async () => {
      for (const endpoint of endpoints) endpoint.close();
      await server.discard();
    });

    /** Each worker in turn, with the others. */
    const pairs = (): { one: WorkerEndpoint; others: WorkerEndpoint[] }[] =>
      endpoints.map((one) => ({ one, others: endpoints.filter((endpoint) => endpoint !== one) }));

    test("starts the configured number of workers, and prints its address once", () => {
      expect(endpoints.length).toBe(WORKERS);
      expect(server.output().match(/Holdall serves on/g)?.length).toBe(1);
    });

    describe("after one worker's response, all workers see", () => {
      test("a changed visibility", async () => {
        for (const { one, others } of pairs()) {
          const file = await api(one).put(unique("seen"));
          for (const visibility of ["private", "public", "private"]) {
            const answer = await api(one).json("PUT", "/api/files", { id: file.id, visibility });
            expect(answer.status).toBe(200);
            for (const other of others) {
              const seen = await send(other, "GET", `/${file.url}`);
              expect(seen.status).toBe(visibility === "public" ? 200 : 404);
            }
          }
        }
      });

      test("a revoked key", async () => {
        for (const { one, others } of pairs()) {
          const created = await api(one).json("POST", "/api/keys", { name: unique("key") });
          const { key, secret } = expectData(
            created,
            z.object({ key: z.object({ id: z.string() }).loose(), secret: z.string() }),
          );
          const statuses = () =>
            Promise.all(others.map((other) => api({ ...other, apiKey: secret }).get("/api/files")));
          for (const { status } of await statuses()) expect(status).toBe(200);
          await api(one).json("DELETE", "/api/keys", { id: key.id });
          for (const { status } of await statuses()) expect(status).toBe(401);
        }
      });

      test("the reach of a limited key, and the revocation of its parent", async () => {
        for (const { one, others } of pairs()) await checkScopeEverywhere(one, others);
      });

      test("an ended session", async () => {
        for (const { one, others } of pairs()) {
          const cookie = await signIn(one);
          const asked = () =>
            Promise.all(others.map((other) => fromPage(other, "GET", "/auth/session", cookie)));
          for (const { status } of await asked()) expect(status).toBe(200);
          expect((await fromPage(one, "POST", "/auth/sign-out", cookie)).status).toBe(200);
          for (const { status } of await asked()) expect(status).toBe(401);
        }
      });

      test("changed settings", async () => {
        const answer = z.object({
          settings: z.object({ maxDeleteBatch: z.object({ value: z.int() }).loose() }).loose(),
        });
        for (const [at, { one, others }] of pairs().entries()) {
          const wanted = 3 + at;
          await api(one).json("PUT", "/api/settings", { maxDeleteBatch: wanted });
          for (const other of others) {
            const { settings } = expectData(await api(other).get("/api/settings"), answer);
            expect(settings.maxDeleteBatch.value).toBe(wanted);
            const ids = Array.from({ length: wanted + 1 }, () => "none");
            const refused = await api(other).json("DELETE", "/api/files", {
              ids: ids.map((id, i) => id + i),
            });
            expectFault(refused, 400);
          }
        }
        await api(server).json("PUT", "/api/settings", { maxDeleteBatch: null });
      });

      test("activity and traffic that another worker still buffers", async () => {
        const name = unique("recorded");
        const [first, second] = endpoints;
        if (first === undefined || second === undefined) throw new Error("Too few workers");
        const file = await api(first).put(name);
        const activity = await api(second).get("/api/activity?limit=20");
        expect(activity.text).toContain(name);
        const hour = z.object({
          at: z.string(),
          requests: z.int(),
          bytes: z.int(),
          errors: z.int(),
          errorsByStatus: z.array(z.object({ status: z.int(), requests: z.int() })),
        });
        const requested = z.object({ file: z.object({ id: z.string() }), requests: z.int() });
        const shape = z.object({
          traffic: z.array(hour),
          mostRequested: z.object({ files: z.array(requested) }).loose(),
        });
        const counts = async (endpoint: WorkerEndpoint) => {
          const { traffic, mostRequested } = expectData(
            await api(endpoint).get("/api/overview?period=day"),
            shape.loose(),
          );
          const statuses = traffic.flatMap((each) => each.errorsByStatus);
          const sum = (list: readonly { requests: number }[]) =>
            list.reduce((total, { requests }) => total + requests, 0);
          return {
            requests: sum(traffic),
            missing: sum(statuses.filter(({ status }) => status === 404)),
            forFile: sum(mostRequested.files.filter((each) => each.file.id === file.id)),
          };
        };
        const before = await counts(second);
        for (const endpoint of endpoints) {
          await send(endpoint, "GET", `/${file.url}`);
          await send(endpoint, "GET", `/${file.url}.missing`);
        }
        for (const endpoint of endpoints) {
          expect(await counts(endpoint)).toEqual({
            requests: before.requests + 2 * endpoints.length,
            missing: before.missing + endpoints.length,
            forFile: endpoints.length,
          });
        }
      });

      test("changes by a command", async () => {
        const made = await run(["keys", "create", unique("command")], server.env);
        const secret = made.stdout.trim().split(/\s+/).at(-1) ?? "";
        for (const endpoint of endpoints) {
          expect((await api({ ...endpoint, apiKey: secret }).get("/api/files")).status).toBe(200);
        }
      });
    });

    test("stores one of 64 concurrent uploads of one name", async () => {
      for (let round = 0; round < 3; round += 1) {
        const name = unique("race");
        const answers = await Promise.all(
          Array.from({ length: 64 }, (_, at) =>
            api(endpoints[at % endpoints.length] ?? server).upload([
              filePart(name, `content ${at}`),
            ]),
          ),
        );
        expect(answers.filter(({ status }) => status === 200).length).toBe(1);
        expect(answers.filter(({ status }) => status === 409).length).toBe(63);
      }
    });

    describe("all workers share one limit", () => {
      let limited: TestServer;
      let limitedEndpoints: WorkerEndpoint[];
      beforeAll(async () => {
        limited = await startServer({
          WORKERS: "3",
          RATE_LIMIT_API: "40",
          RATE_LIMIT_HOSTING: "7",
          ...administrator,
        });
        limitedEndpoints = await eachWorker(limited);
      });
      afterAll(async () => {
        for (const endpoint of limitedEndpoints) endpoint.close();
        await limited.discard();
      });

      /** Sends requests to all workers at once; returns how many were allowed. */
      async function admitted(path: string, count: number): Promise<number> {
        const answers = await Promise.all(
          Array.from({ length: count }, (_, at) =>
            send(limitedEndpoints[at % limitedEndpoints.length] ?? limited, "GET", path),
          ),
        );
        return answers.filter(({ status }) => status !== 429).length;
      }

      test("for password attempts", async () => {
        const statuses: number[] = [];
        const from = performance.now();
        for (let at = 0; at < 9; at += 1) {
          const endpoint = limitedEndpoints[at % limitedEndpoints.length] ?? limited;
          statuses.push(
            (await trySignIn(endpoint, administrator.ADMIN_EMAIL, "wrong password")).status,
          );
        }
        // The waits are 1 s, 2 s, …: a busy machine may take that long. Separate limits would admit all.
        const waited = Math.floor(Math.log2((performance.now() - from) / 1000 + 1));
        const admitted = statuses.filter((status) => status === 401).length;
        expect(admitted).toBeWithin(5, 5 + waited + 1);
        expect(statuses.filter((status) => status === 429).length).toBe(9 - admitted);
      });

      test("for requests", async () => {
        expect(await admitted("/api/hosting/missing", 30)).toBe(7);
        expect(await admitted("/api/hosting/missing", 9)).toBe(0);
        // The password attempts took nine.
        expect(await admitted("/api/health", 60)).toBe(31);
      });
    });

    describe("when a worker is killed", () => {
      test("others go on, no confirmed upload is lost, and it is replaced", async () => {
        const base = unique("killed");
        const acknowledged: string[] = [];
        let isOver = false;
        const client = async (at: number): Promise<void> => {
          for (let count = 0; !isOver; count += 1) {
            const name = `${at}-${count}`;
            const stored = await api(server)
              .upload([field("folder", base), filePart(name, `content ${name}`)])
              .catch(() => undefined);
            if (stored?.status === 200) acknowledged.push(name);
          }
        };
        const clients = Promise.all(Array.from({ length: 8 }, (_, at) => client(at)));
        for (let kills = 0; kills < 2; kills += 1) {
          const from = acknowledged.length;
          await eventually("files are stored", () => acknowledged.length > from + 10);
          const [victim = 0] = workersOf(server);
          process.kill(victim, "SIGKILL");
          const after = acknowledged.length;
          await eventually("others store files", () => acknowledged.length > after + 10);
          await eventually(
            "it is replaced",
            () => workersOf(server).length === WORKERS && !workersOf(server).includes(victim),
          );
        }
        isOver = true;
        await clients;
        for (const name of acknowledged) {
          const hosted = await send(server, "GET", `/api/hosting/${base}/${name}`);
          expect([name, hosted.text]).toEqual([name, `content ${name}`]);
        }
        expect(server.output()).toContain("A worker exited");
      });

      // `instances.test.ts` covers S3.
      test.skipIf(isOnS3)(
        "its unfinished uploads are removed at once, those of other workers are not",
        async () => {
          const before = new Set(blobsOf(server.dataPath));
          const fresh = () => blobsOf(server.dataPath).filter((blob) => !before.has(blob)).length;
          const [first, second] = await eachWorker(server);
          if (first === undefined || second === undefined) throw new Error("Too few workers");
          const upload = async (endpoint: WorkerEndpoint) => {
            const connection = await openRaw(Number(new URL(endpoint.url).port));
            connection.send(
              head("POST", "/api/files", [
                ["API-Key", server.apiKey],
                ["Content-Type", multipartType],
                ["Content-Length", "9000000"],
              ]),
            );
            connection.send(partHead(filePart(unique("cut"), "")));
            connection.send(Buffer.alloc(1_000_000));
            return connection;
          };
          const killed = await upload(first);
          await eventually("the first upload arrives", () => fresh() === 1);
          const surviving = await upload(second);
          await eventually("the second upload arrives", () => fresh() === 2);
          process.kill(first.pid, "SIGKILL");
          await eventually("the first upload is removed", () => fresh() === 1);
          // Time for a wrong removal of the other one.
          await Bun.sleep(500);
          expect(fresh()).toBe(1);
          for (const each of [killed, surviving]) each.destroy();
          for (const endpoint of [first, second]) endpoint.close();
          await eventually(
            "the second upload is removed after its connection closes",
            () => fresh() === 0,
          );
        },
      );
    });

    test("workers exit without their supervisor, and the next start waits for them", async () => {
      const orphans = workersOf(server);
      const file = await api(server).put(unique("kept"));
      await server.kill();
      await server.restart();
      for (const pid of orphans) expect(isAlive(pid)).toBe(false);
      expect((await api(server).file(file.id)).id).toBe(file.id);
    });

    test("refuses a second server on the data folder, and on the port", async () => {
      const second = await run(["serve"], { ...server.env, PORT: "0" });
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(server.dataPath);
      const elsewhere = `${server.dataPath}-2`;
      const stores = await freshStores();
      const env = { ...server.env, ...stores, DATA_PATH: elsewhere, PORT: String(server.port) };
      const third = await run(["serve"], env);
      expect(third.code).toBe(1);
      expect(third.stderr).toContain("another program uses it");
    });

    test("SIGTERM finishes pending downloads and closes the catalog", async () => {
      const file = await api(server).put(unique("big"), Buffer.alloc(5_000_000, 3));
      const downloads = await Promise.all([1, 2, 3, 4].map(() => beginDownload(server, file.url)));
      expect(await server.stop()).toBe(0);
      for (const { answer } of downloads) expect((await answer()).bytes.length).toBe(5_000_000);
      for (const suffix of ["-wal", "-shm"]) {
        expect(existsSync(join(server.dataPath, `catalog.sqlite${suffix}`))).toBe(false);
      }
    });
  },
);
