import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { type Door, eachWorker, isAlive, workersOf } from "./each-worker.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { field, filePart, multipartType, partHead } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { administrator, fromPage, signIn, trySignIn } from "./session.ts";
import { blobsOf } from "./snapshot.ts";
import { freshStores, isOnS3 } from "./stores.ts";

const WORKERS = 3;

// Elsewhere no port has several listeners, and the start says so.
describe.skipIf(isMissing("Linux", process.platform === "linux"))("several processes", () => {
  let server: TestServer;
  let doors: Door[];

  beforeAll(async () => {
    server = await startServer({ WORKERS: String(WORKERS), ...administrator });
    doors = await eachWorker(server);
  });
  afterAll(async () => {
    for (const door of doors) door.close();
    await server.discard();
  });

  /** Each worker as the one that something is changed on, and the others. */
  const pairs = (): { one: Door; others: Door[] }[] =>
    doors.map((one) => ({ one, others: doors.filter((door) => door !== one) }));

  test("the server has as many workers as it was told, and says once where it is", () => {
    expect(doors.length).toBe(WORKERS);
    expect(server.output().match(/Holdall serves on/g)?.length).toBe(1);
  });

  describe("what one worker has answered holds on all of them", () => {
    test("visibility", async () => {
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

    test("that a key is revoked", async () => {
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

    test("that a session is ended", async () => {
      for (const { one, others } of pairs()) {
        const cookie = await signIn(one);
        const asked = () =>
          Promise.all(others.map((other) => fromPage(other, "GET", "/auth/session", cookie)));
        for (const { status } of await asked()) expect(status).toBe(200);
        expect((await fromPage(one, "POST", "/auth/sign-out", cookie)).status).toBe(200);
        for (const { status } of await asked()) expect(status).toBe(401);
      }
    });

    test("the settings", async () => {
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

    test("what was done, and how much was served", async () => {
      const name = unique("told");
      const [first, second] = doors;
      if (first === undefined || second === undefined) throw new Error("There are too few workers");
      const file = await api(first).put(name);
      const told = await api(second).get("/api/activity?limit=20");
      expect(told.text).toContain(name);
      const requests = async (door: Door): Promise<number> => {
        const shape = z
          .object({ traffic: z.array(z.object({ requests: z.int() }).loose()) })
          .loose();
        const { traffic } = expectData(await api(door).get("/api/overview?period=day"), shape);
        return traffic.reduce((sum, hour) => sum + hour.requests, 0);
      };
      const before = await requests(second);
      for (const door of doors) await send(door, "GET", `/${file.url}`);
      for (const door of doors) expect(await requests(door)).toBe(before + doors.length);
    });

    test("what a command beside them has changed", async () => {
      const made = await run(["keys", "create", unique("command")], server.env);
      const secret = made.stdout.trim().split(/\s+/).at(-1) ?? "";
      for (const door of doors) {
        expect((await api({ ...door, apiKey: secret }).get("/api/files")).status).toBe(200);
      }
    });
  });

  test("of 64 uploads of one name over all workers, one is stored", async () => {
    for (let round = 0; round < 3; round += 1) {
      const name = unique("race");
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, at) =>
          api(doors[at % doors.length] ?? server).upload([filePart(name, `content ${at}`)]),
        ),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBe(1);
      expect(answers.filter(({ status }) => status === 409).length).toBe(63);
    }
  });

  describe("limits are one budget for all workers", () => {
    let limited: TestServer;
    let ways: Door[];
    beforeAll(async () => {
      limited = await startServer({
        ...{ WORKERS: "3", RATE_LIMIT_API: "40", RATE_LIMIT_HOSTING: "7" },
        ...administrator,
      });
      ways = await eachWorker(limited);
    });
    afterAll(async () => {
      for (const way of ways) way.close();
      await limited.discard();
    });

    /** How many of so many requests, to each worker in turn and at once, were let in. */
    async function admitted(path: string, count: number): Promise<number> {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, at) =>
          send(ways[at % ways.length] ?? limited, "GET", path),
        ),
      );
      return answers.filter(({ status }) => status !== 429).length;
    }

    test("of guesses at a password", async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 9; at += 1) {
        const way = ways[at % ways.length] ?? limited;
        statuses.push((await trySignIn(way, administrator.ADMIN_EMAIL, "wrong password")).status);
      }
      expect(statuses.filter((status) => status === 401).length).toBe(5);
      expect(statuses.filter((status) => status === 429).length).toBe(4);
    });

    test("of requests", async () => {
      expect(await admitted("/api/hosting/missing", 30)).toBe(7);
      expect(await admitted("/api/hosting/missing", 9)).toBe(0);
      // Nine of them were the guesses.
      expect(await admitted("/api/health", 60)).toBe(31);
    });
  });

  describe("when a worker is killed", () => {
    test("others serve on, what was answered is there, and another takes its place", async () => {
      const base = unique("killed");
      const acknowledged: string[] = [];
      let over = false;
      const client = async (at: number): Promise<void> => {
        for (let count = 0; !over; count += 1) {
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
        await eventually("files are stored", () => acknowledged.length > from + 10, 20_000);
        const [victim = 0] = workersOf(server);
        process.kill(victim, "SIGKILL");
        const after = acknowledged.length;
        await eventually("others store on", () => acknowledged.length > after + 10, 20_000);
        await eventually(
          "another has taken its place",
          () => workersOf(server).length === WORKERS && !workersOf(server).includes(victim),
          20_000,
        );
      }
      over = true;
      await clients;
      for (const name of acknowledged) {
        const hosted = await send(server, "GET", `/api/hosting/${base}/${name}`);
        expect([name, hosted.text]).toEqual([name, `content ${name}`]);
      }
      expect(server.output()).toContain("A worker exited");
    }, 90_000);

    // On S3 it is in `test/instances.test.ts`.
    test.skipIf(isOnS3)(
      "what its uploads had stored goes at once, and no upload of another's does",
      async () => {
        const before = new Set(blobsOf(server.dataPath));
        const fresh = () => blobsOf(server.dataPath).filter((blob) => !before.has(blob)).length;
        const [first, second] = await eachWorker(server);
        if (first === undefined || second === undefined)
          throw new Error("There are too few workers");
        const upload = async (door: Door) => {
          const connection = await openRaw(Number(new URL(door.url).port));
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
        const dying = await upload(first);
        await eventually("the bytes of one arrive", () => fresh() === 1);
        const living = await upload(second);
        await eventually("the bytes of the other arrive", () => fresh() === 2);
        process.kill(first.pid, "SIGKILL");
        await eventually("the leftovers are gone", () => fresh() === 1, 20_000);
        await Bun.sleep(500);
        expect(fresh()).toBe(1);
        for (const each of [dying, living]) each.destroy();
        for (const door of [first, second]) door.close();
        await eventually("the other's go with its connection", () => fresh() === 0, 20_000);
      },
      60_000,
    );
  });

  test("without its supervisor no worker lives on, and the next start waits for the last", async () => {
    const orphans = workersOf(server);
    const file = await api(server).put(unique("kept"));
    await server.kill();
    await server.restart();
    for (const pid of orphans) expect(isAlive(pid)).toBe(false);
    expect((await api(server).file(file.id)).id).toBe(file.id);
  }, 30_000);

  test("a second server on the data folder is refused, and one on its port", async () => {
    const second = await run(["serve"], { ...server.env, PORT: "0" }, 20_000);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(server.dataPath);
    const elsewhere = `${server.dataPath}-2`;
    const stores = await freshStores();
    const env = { ...server.env, ...stores, DATA_PATH: elsewhere, PORT: String(server.port) };
    const third = await run(["serve"], env, 20_000);
    expect(third.code).toBe(1);
    expect(third.stderr).toContain("another program uses it");
  }, 60_000);

  test("SIGTERM ends it in good order, with what is under way", async () => {
    const file = await api(server).put(unique("big"), Buffer.alloc(5_000_000, 3));
    const downloads = [1, 2, 3, 4].map(() => send(server, "GET", `/${file.url}`));
    await Bun.sleep(20);
    expect(await server.stop()).toBe(0);
    for (const download of downloads) expect((await download).bytes.length).toBe(5_000_000);
    for (const side of ["-wal", "-shm"]) {
      expect(existsSync(join(server.dataPath, `catalog.sqlite${side}`))).toBe(false);
    }
  }, 60_000);
});
