import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send } from "./client.ts";
import { run, startServer, type TestServer } from "./harness.ts";

let url: string;
let server: TestServer;

beforeAll(async () => {
  url = await (await postgresServer()).fresh();
  server = await startServer({ DATABASE_URL: url });
});
afterAll(() => server.discard());

describe("a server with its catalog in PostgreSQL", () => {
  test("has what it answered for after kill -9, and no catalog in its folder", async () => {
    const file = await api(server).put("a/kept.txt", "kept");
    await expect(api(server).put("a/kept.txt", "again")).rejects.toThrow();
    await server.kill();
    await server.restart();
    expect(await api(server).file(file.id)).toEqual(file);
    expect((await send(server, "GET", "/api/hosting/a/kept.txt")).text).toBe("kept");
    expect(existsSync(join(server.dataPath, "catalog.sqlite"))).toBe(false);
  });

  test("takes a key of 4,096 bytes that cannot be pressed together", async () => {
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

  test("can be verified; a backup is its database's own affair", async () => {
    const verified = await run(["verify"], server.env, 60_000);
    expect(verified.code).toBe(0);
    const backup = await run(["backup", join(server.dataPath, "..", "backup")], server.env, 60_000);
    expect(backup.code).toBe(1);
    expect(backup.stderr).toContain("pg_dump");
  });
});

describe("the start is refused in one line", () => {
  beforeAll(() => server.stop());

  const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stderr } = await run([], { ...env, PORT: "0" }, 60_000);
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

  test("when the address is none of PostgreSQL, which is not repeated", async () => {
    const said = await refusal({ ...server.env, DATABASE_URL: "mysql://user:s3cr3t@host/db" });
    expect(said).toContain("DATABASE_URL");
    expect(said).not.toContain("s3cr3t");
  });

  test("when the folder's files have their records elsewhere", async () => {
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
