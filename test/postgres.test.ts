import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { linkRequests } from "./link-requests.ts";
import { signedData } from "./shapes.ts";
import { append, beginAppend, createUpload, noise, offsetOf } from "./upload-url.ts";

let url: string;
let server: TestServer;

beforeAll(async () => {
  url = await (await postgresServer()).fresh();
  server = await startServer({ DATABASE_URL: url });
});
afterAll(() => server.discard());

describe("a server with its catalog in PostgreSQL", () => {
  test("keeps acknowledged changes after kill -9, and no catalog in its data folder", async () => {
    const file = await api(server).put("a/kept.txt", "kept");
    await expect(api(server).put("a/kept.txt", "again")).rejects.toThrow();
    await server.kill();
    await server.restart();
    expect(await api(server).file(file.id)).toEqual(file);
    expect((await send(server, "GET", "/api/hosting/a/kept.txt")).text).toBe("kept");
    expect(existsSync(join(server.dataPath, "catalog.sqlite"))).toBe(false);
  });

  test.each(["1", "2"])("continues an upload at once after kill -9, with WORKERS=%s", async (n) => {
    await server.restart({ WORKERS: n });
    const path = await createUpload(server, { size: 1000 });
    const bytes = noise(1000);
    await beginAppend(server, path, { offset: 0, length: 1000, bytes: bytes.subarray(0, 400) });
    await eventually("bytes are stored", async () => (await offsetOf(server, path)) > 0);
    await server.kill();
    await server.restart();
    const offset = await offsetOf(server, path);
    const answer = await append(server, path, offset, bytes.subarray(offset));
    expect([answer.status, answer.header("upload-offset")]).toEqual([204, "1000"]);
  });

  test("stores an incompressible key of 4,096 bytes", async () => {
    const names = Array.from({ length: 16 }, (_, index) =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(128)))
        .toString("hex")
        .slice(0, index < 15 ? 255 : 253),
    );
    const file = await api(server).put(`${names.join("/")}/f`, "deep");
    expect(file.key).toHaveLength(4095);
    expect((await send(server, "GET", `/${file.url}`)).text).toBe("deep");
    const [top = ""] = names;
    const { folder } = await api(server).browse(top);
    const renamed = await api(server).json("PUT", "/api/folders", { id: folder.id, name: "t" });
    expect(renamed.status).toBe(200);
    expect((await api(server).file(file.id)).key).toBe(`t${file.key.slice(top.length)}`);
  });

  test("counts expiries by the database's clock, however wrong its own is", async () => {
    const fresh = await startServer({ DATABASE_URL: await (await postgresServer()).fresh() });
    try {
      const links = linkRequests(fresh);
      const file = await links.secretFile("f.txt", "private");
      const sign = async () =>
        expectData(
          await api(fresh).json("POST", "/api/files/sign", { id: file.id, expiresIn: 600 }),
          signedData,
        );
      const signed = await sign();
      const link = await links.share({ kind: "read", fileId: file.id, expiresIn: 600 });
      const upload = await createUpload(fresh, { size: 10 });
      const preload = join(fresh.dataPath, "a-year-ahead.ts");
      writeFileSync(preload, "const { now } = Date; Date.now = () => now() + 365 * 86_400_000;");
      await fresh.restart({ BUN_OPTIONS: `--preload=${preload}` });
      expect((await send(fresh, "GET", `/${signed.url}`)).text).toBe("private");
      expect((await links.visit(link.path)).status).toBe(200);
      expect(await offsetOf(fresh, upload)).toBe(0);
      expect(Date.parse((await sign()).expiresAt)).toBeLessThan(Date.now() + 3_600_000);
    } finally {
      await fresh.discard();
    }
  });

  test("supports verify; backup refers to pg_dump", async () => {
    const verified = await run(["verify"], server.env);
    expect(verified.code).toBe(0);
    const backup = await run(["backup", join(server.dataPath, "..", "backup")], server.env);
    expect(backup.code).toBe(1);
    expect(backup.stderr).toContain("pg_dump");
  });
});

describe("the data folder of a catalog in PostgreSQL", () => {
  let folder: string;
  let first: TestServer;
  beforeEach(async () => {
    folder = temporaryFolder();
    first = await startServer({ DATABASE_URL: await (await postgresServer()).fresh() });
  });
  afterEach(async () => {
    await first.discard();
    removeFolder(folder);
  });

  test("must be the first one served, even if it had no files", async () => {
    const other = { ...first.env, DATA_PATH: join(folder, "other"), PORT: "0" };
    const refused = await run([], other);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("are in another data folder than");
    expect(refused.stderr.trim()).not.toContain("\n");
    for (const command of [["verify"], ["import", import.meta.dir]]) {
      const { code, stderr } = await run(command, other);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain("are in another data folder than");
    }
    const file = await api(first).put("kept.txt", "kept");
    // The folder may be moved as a whole.
    await first.stop();
    const moved = join(folder, "moved");
    cpSync(first.dataPath, moved, { recursive: true });
    await first.restart({ DATA_PATH: moved, WORKERS: process.platform === "linux" ? "2" : "1" });
    expect((await send(first, "GET", `/${file.url}`)).text).toBe("kept");
    await first.stop();
  });

  test("must not be empty if the catalog has files, also from an earlier version", async () => {
    await api(first).put("kept.txt", "kept");
    await first.stop();
    const database = new Client({ connectionString: first.env.DATABASE_URL });
    await database.connect();
    await database.query("delete from settings where name = 'disk'");
    await database.end();
    writeFileSync(join(first.dataPath, "holdall.json"), '{"layout":1}');

    const empty = join(folder, "empty");
    mkdirSync(join(empty, "blobs"), { recursive: true });
    writeFileSync(join(empty, "holdall.json"), '{"layout":1}');
    const refused = await run([], { ...first.env, DATA_PATH: empty, PORT: "0" });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("is its volume mounted?");
    await first.restart();
    expect((await send(first, "GET", "/api/hosting/kept.txt")).text).toBe("kept");
  });
});

describe("refuses to start with one line", () => {
  beforeAll(() => server.stop());

  const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stderr } = await run([], { ...env, PORT: "0" });
    expect(code).toBe(1);
    expect(stderr.trim()).not.toContain("\n");
    return stderr;
  };

  test("when the database cannot be reached", async () => {
    const nowhere = "postgres://holdall:s3cr3t@127.0.0.1:1/nowhere";
    const said = await refusal({ ...server.env, DATABASE_URL: nowhere });
    expect(said).toContain("127.0.0.1:1/nowhere cannot be reached");
    expect(said).not.toContain("s3cr3t");
  });

  test("when TLS is required but not supported, in any sslmode", async () => {
    for (const mode of ["verify-full", "require"]) {
      const said = await refusal({ ...server.env, DATABASE_URL: `${url}&sslmode=${mode}` });
      expect(said).toContain("does not support SSL");
    }
  });

  test("when the URL is not PostgreSQL's, without printing it", async () => {
    const said = await refusal({ ...server.env, DATABASE_URL: "mysql://user:s3cr3t@host/db" });
    expect(said).toContain("DATABASE_URL");
    expect(said).not.toContain("s3cr3t");
  });

  test("when the records of the files are in another catalog", async () => {
    const { DATABASE_URL: _, ...without } = server.env;
    expect(await refusal(without)).toContain("set DATABASE_URL");
    const own = await startServer();
    try {
      await api(own).put("here.txt", "here");
      await own.stop();
      expect(await refusal({ ...own.env, DATABASE_URL: url })).toContain(
        "has a catalog of its own",
      );
    } finally {
      await own.discard();
    }
  });
});
