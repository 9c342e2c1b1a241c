import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send, unique } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { keysIn, s3Environment, s3SettingsOf } from "./s3-environment.ts";

const HOUR = 3_600_000;
/** A server's idea of the database's clock is off by the time of one query at most, which is long on a busy machine. */
const SLACK_MS = 2000;
/** The life of each file, in seconds. */
const ENDS_IN = 6;

const clocks = { right: 0, ahead: HOUR, behind: -HOUR };
type ServerName = keyof typeof clocks;
const names: ServerName[] = ["right", "ahead", "behind"];
const lifetime = z.object({ expiresAt: z.string() });
const trashPage = z.object({ items: z.array(z.object({ id: z.string(), expiresAt: z.string() })) });
const timeOf = (text: string): number => Date.parse(`${text.replace(" ", "T")}Z`);

describe.skipIf(!hasS3Server)("three servers whose clocks are an hour apart", () => {
  const folder = temporaryFolder();
  const servers = new Map<ServerName, TestServer>();
  const at = (name: ServerName): TestServer =>
    servers.get(name) ?? expect.unreachable(`There is no server ${name}.`);

  beforeAll(async () => {
    const stores = {
      DATABASE_URL: await (await postgresServer()).fresh(),
      ...s3Environment(await (await s3Server()).fresh()),
      AUTH_SECRET: "a secret for three servers, long enough",
      TRASH_DAYS: "0",
    };
    for (const name of names) {
      const preload = join(folder, `${name}.ts`);
      // A store refuses what was signed at another time, so the signer alone has the right one.
      writeFileSync(
        preload,
        `const { now } = Date;
        const isSigner = () => new Error().stack?.includes("scopeNow") === true;
        Date.now = () => now() + (isSigner() ? 0 : ${clocks[name]});`,
      );
      servers.set(name, await startServer({ ...stores, BUN_OPTIONS: `--preload=${preload}` }));
    }
  });
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.discard()));
    removeFolder(folder);
  });

  test("end a file together, by the database's clock, and promise caches no more", async () => {
    for (const maker of names) {
      const key = `${unique("clocks")}/f`;
      const file = await api(at(maker)).put(key, "content", { visibility: "public" });
      // The content and the record are in the caches of all.
      for (const name of [...names, ...names, ...names]) {
        expect((await send(at(name), "GET", `/${file.url}`)).text).toBe("content");
      }
      await api(at(maker)).json("PUT", "/api/files", { key, expiresIn: 600 });
      const shown = await api(at("right")).get(`/api/files/lifetime?key=${key}`);
      const left = timeOf(expectData(shown, lifetime).expiresAt) - Date.now();
      expect(Math.abs(left - 600_000)).toBeLessThan(60_000);
      // A whole second, as responses show them.
      const end = Math.ceil(Date.now() / 1000 + ENDS_IN) * 1000;
      const expiresAt = new Date(end).toISOString();
      const changed = await api(at(maker)).json("PUT", "/api/files", { key, expiresAt });
      expect(changed.status).toBe(200);

      const watch = async (name: ServerName, path: string) => {
        while (Date.now() < end + SLACK_MS + 500) {
          const sentAt = Date.now();
          const { status, header } = await send(at(name), "GET", path, {
            "API-Key": at(name).apiKey,
          });
          if (Date.now() < end - SLACK_MS) expect([name, path, status]).toEqual([name, path, 200]);
          if (sentAt > end + SLACK_MS) expect([name, path, status]).toEqual([name, path, 404]);
          const [, age] = /max-age=(\d+)/.exec(header("cache-control") ?? "") ?? [];
          if (status === 200 && age !== undefined) {
            expect(sentAt + Number(age) * 1000).toBeLessThan(end + SLACK_MS);
          }
          await Bun.sleep(50);
        }
      };
      const paths = [file.url, `api/files?id=${file.id}`, `api/files/content?key=${key}`];
      await Promise.all(names.flatMap((name) => paths.map((path) => watch(name, `/${path}`))));
      for (const name of names) {
        expect((await api(at(name)).list()).map((each) => each.id)).not.toContain(file.id);
      }
    }
  });

  test("read times of requests by it too", async () => {
    const { key } = await api(at("right")).put(`${unique("times")}/f`);
    const set = (name: ServerName, afterMs: number) => {
      const expiresAt = new Date(Date.now() + afterMs).toISOString();
      return api(at(name)).json("PUT", "/api/files", { key, expiresAt });
    };
    expect((await set("ahead", HOUR / 2)).status).toBe(200);
    const past = await set("behind", -HOUR / 2);
    expect([past.status, past.text]).toEqual([400, expect.stringContaining("invalid_lifetime")]);
  });

  test("destroy nothing early, whichever of them runs the jobs", async () => {
    const a = api(at("ahead"));
    const file = await a.put(`${unique("kept")}/f`, "kept content", { visibility: "public" });
    const blobs = await keysIn(s3SettingsOf(at("ahead").env));
    await a.json("PUT", "/api/files", { id: file.id, expiresIn: 1 });
    const inTrash = async () => expectData(await a.get("/api/trash"), trashPage).items;
    // Each start of the only server runs the jobs.
    for (const name of ["right", "behind"] as const) await at(name).stop();
    await eventually("the file ends", async () => {
      return (await send(at("ahead"), "GET", `/${file.url}`)).status === 404;
    });
    await at("ahead").restart();
    const moved = async () => (await inTrash()).find(({ id }) => id === file.id);
    await eventually("it is in the trash", async () => (await moved()) !== undefined);
    expect(timeOf((await moved())?.expiresAt ?? "") - Date.now()).toBeGreaterThan(HOUR - 120_000);
    await at("ahead").restart();
    // Time for the jobs.
    await Bun.sleep(2000);
    expect(await keysIn(s3SettingsOf(at("ahead").env))).toEqual(expect.arrayContaining(blobs));
    await a.json("POST", "/api/trash/restore", { ids: [file.id] });
    await Promise.all((["right", "behind"] as const).map((name) => at(name).restart()));
    for (const name of names) {
      expect((await send(at(name), "GET", `/${file.url}`)).text).toBe("kept content");
    }
  });
});
