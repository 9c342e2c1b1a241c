import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { checkScopeEverywhere } from "./check-scope-everywhere.ts";
import { api, send, unique } from "./client.ts";
import { eachWorker, workersOf } from "./each-worker.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { type Environment, startServer, type TestServer } from "./harness.ts";
import { field, filePart, multipartType, partHead } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { keysIn, multipartUploadsIn, s3Environment } from "./s3-environment.ts";
import { administrator, fromPage, signIn, trySignIn } from "./session.ts";
import { signedData } from "./shapes.ts";

const several = process.platform === "linux" ? "2" : "1";

const freshDatabase = async (): Promise<Environment> => ({
  DATABASE_URL: await (await postgresServer()).fresh(),
});

describe("several workers with a catalog in PostgreSQL", () => {
  test("serve as one, and a killed worker is replaced", async () => {
    const server = await startServer({ WORKERS: several, ...(await freshDatabase()) });
    const endpoints = await eachWorker(server);
    try {
      expect(endpoints.length).toBe(Number(several));
      for (const [at, endpoint] of endpoints.entries()) {
        const other = endpoints[(at + 1) % endpoints.length] ?? endpoint;
        const file = await api(endpoint).put(unique("file"), "content");
        expect((await send(other, "GET", `/${file.url}`)).text).toBe("content");
        await api(endpoint).json("PUT", "/api/files", { id: file.id, visibility: "private" });
        expect((await send(other, "GET", `/${file.url}`)).status).toBe(404);
        await api(endpoint).json("PUT", "/api/settings", { maxDeleteBatch: 1 + at });
        const ids = Array.from({ length: 2 + at }, (_, id) => `none-${id}`);
        expectFault(await api(other).json("DELETE", "/api/files", { ids }), 400);
        await api(endpoint).json("DELETE", "/api/files", { id: file.id });
        expect((await api(other).get(`/api/files?id=${file.id}`)).status).toBe(404);
      }
      const [victim = 0] = workersOf(server);
      process.kill(victim, "SIGKILL");
      await eventually(
        "another has taken its place",
        () => workersOf(server).length === endpoints.length && !workersOf(server).includes(victim),
      );
      const file = await api(server).put(unique("after"), "after");
      expect((await send(server, "GET", `/${file.url}`)).text).toBe("after");
      expect(await server.stop()).toBe(0);
    } finally {
      for (const endpoint of endpoints) endpoint.close();
      await server.discard();
    }
  });
});

describe.skipIf(!hasS3Server)("several servers on one database and one bucket", () => {
  let bucket: S3Settings;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    bucket = await (await s3Server()).fresh();
    const env = {
      ...administrator,
      ...(await freshDatabase()),
      ...s3Environment(bucket),
      AUTH_SECRET: "of-all-servers-together-3f8c1b7e94d2",
    };
    // Concurrently, so that they race to create the tables.
    servers.push(
      ...(await Promise.all(
        ["1", "1", several].map((WORKERS) => startServer({ ...env, WORKERS })),
      )),
    );
  });
  afterAll(async () => {
    for (const server of servers) await server.discard();
  });

  /** Each server as the writer, with the others as readers. */
  const pairs = () =>
    servers.map((one) => ({ one, others: servers.filter((server) => server !== one) }));

  describe("a confirmed change is visible on all instances", () => {
    test("of files and their visibility", async () => {
      for (const { one, others } of pairs()) {
        const file = await api(one).put(unique("seen"), "bytes");
        for (const visibility of ["private", "public", "private"]) {
          await api(one).json("PUT", "/api/files", { id: file.id, visibility });
          for (const other of others) {
            const { status } = await send(other, "GET", `/${file.url}`);
            expect(status).toBe(visibility === "public" ? 200 : 404);
          }
        }
        const signed = await api(one).json("POST", "/api/files/sign", { id: file.id });
        const { url } = expectData(signed, signedData);
        for (const other of others) {
          expect((await send(other, "GET", `/${url}`)).text).toBe("bytes");
        }
        await api(one).json("DELETE", "/api/files", { id: file.id });
        for (const other of others) {
          expect((await send(other, "GET", `/${url}`)).status).toBe(404);
        }
      }
    });

    test("of links: their visits, passwords and revocation", async () => {
      const made = z.object({ link: z.object({ id: z.string(), url: z.string() }) });
      for (const { one, others } of pairs()) {
        const { id: fileId } = await api(one).put(`${unique("link")}.txt`, "content");
        const share = async (body: object) =>
          expectData(await api(one).json("POST", "/api/links", { fileId, ...body }), made).link;
        const statuses = async (url: string, password?: string): Promise<number[]> => {
          const form = { "Content-Type": "application/x-www-form-urlencoded" };
          const answers = others.map((other) =>
            password === undefined
              ? send(other, "GET", `/${url}?download=1`)
              : send(other, "POST", `/${url}?download=1`, form, `password=${password}`),
          );
          return (await Promise.all(answers)).map(({ status }) => status);
        };
        const { id, url } = await share({});
        expect(new Set(await statuses(url))).toEqual(new Set([200]));
        await api(one).json("PUT", "/api/links", { id, password: "tide" });
        expect(new Set(await statuses(url))).toEqual(new Set([401]));
        expect(new Set(await statuses(url, "tide"))).toEqual(new Set([200]));
        await api(one).json("DELETE", "/api/links", { id });
        expect(new Set(await statuses(url, "tide"))).toEqual(new Set([404]));
        const once = await share({ uses: 1 });
        const visits = await Promise.all(
          Array.from({ length: 64 }, (_, at) =>
            send(servers[at % servers.length] ?? one, "GET", `/${once.url}?download=1`),
          ),
        );
        expect(visits.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(visits.filter(({ status }) => status === 404)).toHaveLength(63);
      }
    });

    test("of limited keys: their reach, and the revocation of their parents", async () => {
      for (const { one, others } of pairs()) await checkScopeEverywhere(one, others);
    });

    test("of links: their expiry, and the scope of the key that made them", async () => {
      const made = z.object({ link: z.object({ id: z.string(), url: z.string() }) });
      const key = z.object({ key: z.object({ id: z.string() }).loose(), secret: z.string() });
      for (const { one, others } of pairs()) {
        const statuses = async (url: string, query = "?download=1"): Promise<Set<number>> => {
          const answers = others.map((other) => send(other, "GET", `/${url}${query}`));
          return new Set((await Promise.all(answers)).map(({ status }) => status));
        };
        const folder = unique("scope");
        const { id: fileId, folderId } = await api(one).put(`${folder}/in.txt`, "content");
        const { id: outside, folderId: away } = await api(one).put(
          `${unique("outside")}/away.txt`,
          "content",
        );
        const rights = { name: unique("key"), folder, actions: ["share", "read", "list"] };
        const keyMade = expectData(await api(one).json("POST", "/api/keys", rights), key);
        const limited = api({ url: one.url, apiKey: keyMade.secret });
        expectFault(await limited.json("POST", "/api/links", { fileId: outside }), 404);
        const share = async (body: object) =>
          expectData(await limited.json("POST", "/api/links", body), made).link;
        const [file, all] = [await share({ fileId }), await share({ folderId })];
        expect(await statuses(file.url)).toEqual(new Set([200]));
        await api(one).json("PUT", "/api/links", { id: file.id, expiresIn: 1 });
        await eventually("the link has expired everywhere", async () => {
          const found = await statuses(file.url);
          return found.size === 1 && found.has(404);
        });
        await api(one).json("PUT", "/api/links", { id: file.id, expiresIn: 3600 });
        expect(await statuses(file.url)).toEqual(new Set([200]));
        // Outside the folder of the key, and of the link to the folder.
        await api(one).json("PUT", "/api/files", { id: fileId, folderId: away });
        expect(await statuses(file.url)).toEqual(new Set([404]));
        expect(await statuses(all.url, "/in.txt")).toEqual(new Set([404]));
        expect(await statuses(all.url, "?view=list")).toEqual(new Set([200]));
        await api(one).json("DELETE", "/api/keys", { id: keyMade.key.id });
        await eventually("the key has ended everywhere", async () => {
          const found = await statuses(all.url, "?view=list");
          return found.size === 1 && found.has(404);
        });
      }
    });

    test("of keys, sessions and the password", async () => {
      const shape = z.object({ key: z.object({ id: z.string() }).loose(), secret: z.string() });
      for (const { one, others } of pairs()) {
        const made = await api(one).json("POST", "/api/keys", { name: unique("key") });
        const { key, secret } = expectData(made, shape);
        const cookie = await signIn(one);
        const asked = async (): Promise<number[]> => {
          const answers = others.flatMap((other) => [
            api({ url: other.url, apiKey: secret }).get("/api/files"),
            fromPage(other, "GET", "/api/files", cookie),
          ]);
          return (await Promise.all(answers)).map(({ status }) => status);
        };
        expect(new Set(await asked())).toEqual(new Set([200]));
        await api(one).json("DELETE", "/api/keys", { id: key.id });
        expect((await fromPage(one, "POST", "/auth/sign-out", cookie)).status).toBe(200);
        expect(new Set(await asked())).toEqual(new Set([401]));
      }
      const [one, two] = servers;
      if (one === undefined || two === undefined) throw tooFew();
      const before = await signIn(two);
      const mine = await signIn(one);
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: currentPassword } = administrator;
      const body = { currentPassword, newPassword: "another horse battery" };
      const changed = await fromPage(one, "PUT", "/auth/password", mine, body);
      expect(changed.status).toBe(200);
      expect((await fromPage(two, "GET", "/api/files", before)).status).toBe(401);
      expect((await trySignIn(two, email, currentPassword)).status).toBe(401);
      expect((await trySignIn(two, email, body.newPassword)).status).toBe(200);
    });

    test("of settings, even on an instance that was suspended", async () => {
      // 404: not found yet; 400: too many ids at once.
      const batch = async (server: TestServer, size: number) => {
        const ids = Array.from({ length: size }, (_, at) => `none-${at}`);
        return (await api(server).json("DELETE", "/api/files", { ids })).status;
      };
      let wanted = 3;
      for (const { one, others } of pairs()) {
        for (const hung of [undefined, others[0]]) {
          // All of them have cached the old value.
          for (const server of servers) await batch(server, wanted);
          wanted += 1;
          if (hung !== undefined) process.kill(hung.pid, "SIGSTOP");
          try {
            const answer = await api(one).json("PUT", "/api/settings", { maxDeleteBatch: wanted });
            expect(answer.status).toBe(200);
          } finally {
            if (hung !== undefined) process.kill(hung.pid, "SIGCONT");
          }
          for (const other of others) {
            expect([await batch(other, wanted), await batch(other, wanted + 1)]).toEqual([
              404, 400,
            ]);
          }
        }
      }
    });
  });

  test("an instance with another AUTH_SECRET logs a warning", async () => {
    const [one] = servers;
    if (one === undefined) throw tooFew();
    const words = "AUTH_SECRET differs from";
    for (const server of servers) expect(server.output()).not.toContain(words);
    const env = { ...one.env, PORT: "0", AUTH_SECRET: undefined };
    const other = await startServer({ ...env, DATA_PATH: `${one.dataPath}-other` });
    expect(other.output()).toContain(words);
    await other.discard();
  });

  test("stores one of 64 concurrent uploads of one name to all instances", async () => {
    const name = unique("race");
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        api(servers[at % servers.length] ?? tooFew()).upload([filePart(name, `content ${at}`)]),
      ),
    );
    const stored = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(63);
    for (const server of servers) {
      const hosted = await send(server, "GET", `/api/hosting/${name}`);
      expect(hosted.text).toBe(`content ${stored}`);
    }
  });

  test.skipIf(isMissing("Linux", several !== "1"))(
    "aborts the multipart uploads of a killed instance, and the other instances keep serving",
    async () => {
      const server = servers[2] ?? tooFew();
      const [endpoint, ...more] = await eachWorker(server);
      if (endpoint === undefined) throw new Error("There is no worker");
      const stored = new Set(await keysIn(bucket));
      const connection = await openRaw(Number(new URL(endpoint.url).port));
      connection.send(
        head("POST", "/api/files", [
          ["API-Key", server.apiKey],
          ["Content-Type", multipartType],
          ["Content-Length", "60000000"],
        ]),
      );
      connection.send(partHead(filePart(unique("cut"), "")));
      for (let sent = 0; sent < 24; sent += 1) connection.send(Buffer.alloc(1_000_000));
      await eventually(
        "a part is in the bucket",
        async () => (await multipartUploadsIn(bucket)).length > 0,
      );
      process.kill(endpoint.pid, "SIGKILL");
      await api(servers[0] ?? tooFew()).upload([
        field("folder", unique("meanwhile")),
        filePart("meanwhile", "stored"),
      ]);
      await eventually(
        "the upload in parts is ended",
        async () => (await multipartUploadsIn(bucket)).length === 0,
      );
      connection.destroy();
      for (const each of [endpoint, ...more]) each.close();
      expect((await keysIn(bucket)).filter((key) => !stored.has(key)).length).toBe(1);
    },
  );
});

function tooFew(): never {
  throw new Error("There are too few servers");
}
