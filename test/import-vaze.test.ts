import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";

const FUTURE = "2099-01-01T00:00:00.000Z";
const SECRET = `vz_${"0123456789abcdef".repeat(4)}`;
/** A key whose expiry is no time. */
const ODD = `vz_${"00112233445566ff".repeat(4)}`;
const EXPIRED = `vz_${"fedcba9876543210".repeat(4)}`;
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Tables with the columns of Vaze's that the import reads, and of the kinds that they have there. */
const NEW_TABLES = `
  create table folders (id text primary key, name text, key text unique, parent_id text);
  create table files (id text primary key, name text, key text unique, mime_type text, folder_id text,
    size integer, visibility text default 'public');
  create table settings (id integer primary key, default_visibility text default 'public');
  insert into settings (id, default_visibility) values (1, 'private');
`;
const OLD_TABLES = `
  create table folders (id text primary key, name text, path text unique, parent_id text);
  create table files (id text primary key, name text unique, type text, path text, folder_id text,
    size integer);
`;
const KEYS = `
  create table api_keys (id text primary key, name text unique, user_id text, key_hash text unique,
    last_used text, expires_at text, created_at text default (current_timestamp));
`;

const TYPES: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".pdf": "application/pdf",
  ".html": "text/html",
};

const parent = temporaryFolder();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.discard();
  removeFolder(parent);
});

/** Leaves no statement open, so that the database can be closed. */
const inserter =
  (db: Database, sql: string) =>
  (...values: (string | number | null)[]): void => {
    db.run(sql, values);
  };

function newVaze(name: string, tables: string): { path: string; db: Database } {
  const path = join(parent, name);
  mkdirSync(join(path, "db"), { recursive: true });
  mkdirSync(join(path, "uploads"));
  const db = new Database(join(path, "db", "vaze.db"));
  // As Vaze leaves it: with records in the log beside the database.
  db.run("pragma journal_mode = wal");
  db.run(tables + KEYS);
  const insert = inserter(
    db,
    "insert into api_keys (id, name, key_hash, last_used, expires_at) values (?, ?, ?, ?, ?)",
  );
  insert("1", "deploy", hashOf(SECRET + name), "2026-01-02T03:04:05.000Z", FUTURE);
  insert("2", "forever", hashOf(`forever${name}`), null, null);
  insert("3", "old", hashOf(EXPIRED + name), null, "2020-01-01T00:00:00.000Z");
  return { path, db };
}

function write(path: string, key: string, content: string): void {
  const file = join(path, "uploads", key);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const importFrom = async (path: string, ...options: string[]) => {
  const ended = await run(["import", "--from-vaze", path, ...options], server.env);
  const text = ended.stdout + ended.stderr;
  expect(text).not.toMatch(/\n\s+at /);
  return { code: ended.code, text };
};

const get = (key: string, secret?: string) =>
  fetch(`${server.url}/api/hosting/${key.split("/").map(encodeURIComponent).join("/")}`, {
    headers: secret === undefined ? {} : { "API-Key": secret },
  });

describe("a data folder with keys", () => {
  const KEYS_OF_FILES = ["logo.svg", "a/b c/ünïcödé.txt", "a/secret.pdf", "page.html"];
  let path: string;
  beforeAll(() => {
    const vaze = newVaze("new", NEW_TABLES);
    path = vaze.path;
    const folder = inserter(vaze.db, "insert into folders (id, name, key) values (?, ?, ?)");
    for (const key of ["", "a", "a/b c", "empty"]) folder(key, key, key);
    const file = inserter(
      vaze.db,
      "insert into files (id, name, key, mime_type, size, visibility) values (?, ?, ?, ?, ?, ?)",
    );
    for (const key of [...KEYS_OF_FILES, "lost.txt"]) {
      const visibility = key.includes("secret") ? "private" : "public";
      file(key, key, key, TYPES[extname(key)] ?? "", key.length, visibility);
      if (key !== "lost.txt") write(path, key, `content of ${key}`);
    }
    symlinkSync("/etc/hostname", join(path, "uploads", "link.txt"));
    file("link.txt", "link.txt", "link.txt", "", 1, "public");
    const key = inserter(
      vaze.db,
      "insert into api_keys (id, name, key_hash, expires_at) values (?, ?, ?, ?)",
    );
    key("4", "odd", hashOf(ODD), "in a year");
    vaze.db.close();
  });

  test("is examined, imported, and imported again", async () => {
    const files = readdirSync(join(path, "db"));
    const dry = await importFrom(path, "--dry-run");
    expect(dry.text).toContain("Nothing was changed. To import: 4 files");
    expect(dry.text).toContain("link.txt: it is a link");
    expect((await get("logo.svg")).status).toBe(404);

    const { code, text } = await importFrom(path);
    expect([code, text]).toEqual([1, expect.stringContaining("lost.txt: ")]);
    expect(text).toContain("and 2 API keys; already present 0; 0 conflicts; skipped 3.");
    expect(text).toContain("Left out as expired: 1 API key.");
    expect(text).toContain("The default visibility of Vaze was private");
    // Nothing has changed in the folder of Vaze.
    expect(readdirSync(join(path, "db"))).toEqual(files);

    const again = await importFrom(path);
    expect(again.text).toContain("Imported 0 files (0 bytes) and 0 API keys; already present 6;");
  });

  test("keeps its hosting URLs, types and visibilities", async () => {
    for (const key of KEYS_OF_FILES) {
      const isPrivate = key.includes("secret");
      const response = await get(key);
      expect([key, response.status]).toEqual([key, isPrivate ? 404 : 200]);
      const read = await get(key, `${SECRET}new`);
      expect(await read.text()).toBe(readFileSync(join(path, "uploads", key), "utf8"));
      expect(read.headers.get("content-type")).toStartWith(TYPES[extname(key)] ?? "none");
    }
  });

  test("keeps its API keys, but not those that had expired", async () => {
    const list = (secret: string) =>
      fetch(`${server.url}/api/folders?folder=`, { headers: { "API-Key": secret } });
    expect((await list(`${SECRET}new`)).status).toBe(200);
    expect((await list("forevernew")).status).toBe(200);
    expect((await list(`${EXPIRED}new`)).status).toBe(401);
    expect((await list(ODD)).status).toBe(401);
    const keys = await fetch(`${server.url}/api/keys`, { headers: { "API-Key": server.apiKey } });
    const { data } = await keys.json();
    expect(data.keys.find(({ name }: { name: string }) => name === "deploy")).toMatchObject({
      prefix: "vz_",
      expiresAt: FUTURE.slice(0, 19).replace("T", " "),
      actions: ["list", "read", "write", "delete", "share"],
    });
  });

  test("does not replace a file that is here already", async () => {
    write(path, "page.html", "changed at the source");
    const { code, text } = await importFrom(path);
    expect([code, text]).toEqual([1, expect.stringContaining("page.html: a file with different")]);
    expect(await (await get("page.html")).text()).toBe("content of page.html");
  });
});

test("a data folder of the time of paths and unique names is imported into its folders", async () => {
  const { path, db } = newVaze("old", OLD_TABLES);
  const folder = inserter(db, "insert into folders (id, name, path) values (?, ?, ?)");
  for (const below of ["", "/docs"]) folder(below, "x", `/app/data/uploads${below}`);
  const file = inserter(
    db,
    "insert into files (id, name, type, path, size) values (?, ?, ?, ?, 1)",
  );
  for (const key of ["top-1a2b3c4d.txt", "docs/in-5e6f7a8b.txt"]) {
    file(key, key.split("/").at(-1) ?? "", ".txt", `/app/data/uploads/${key}`);
    write(path, key, key);
  }
  db.close();
  const { code, text } = await importFrom(path);
  expect([code, text]).toEqual([0, expect.stringContaining("Imported 2 files")]);
  expect(text).toContain("have their folders now, which this version of Vaze left out: 1 file.");
  expect(await (await get("top-1a2b3c4d.txt")).text()).toBe("top-1a2b3c4d.txt");
  expect(await (await get("docs/in-5e6f7a8b.txt")).text()).toBe("docs/in-5e6f7a8b.txt");
});

test("a dry run names files that would have the same key", async () => {
  const { path, db } = newVaze("twins", NEW_TABLES);
  const file = inserter(
    db,
    "insert into files (id, name, key, mime_type, size, visibility) values (?, ?, ?, 'text/plain', 3, 'public')",
  );
  // Two forms of one name in Unicode, with different content.
  for (const key of ["twins/\u00fc.txt", "twins/u\u0308.txt"]) {
    file(key, key, key);
    write(path, key, key);
  }
  db.close();
  const dry = await importFrom(path, "--dry-run");
  expect([dry.code, dry.text]).toEqual([1, expect.stringContaining("To import: 1 file ")]);
  expect(dry.text).toContain("; 1 conflict; skipped 0.");
  expect(dry.text).toContain("another file of the source has this name here");
  const { text } = await importFrom(path);
  expect(text).toContain("; 1 conflict; skipped 0.");
});

test("a folder that is none of Vaze, and other options, are refused", async () => {
  expect((await importFrom(parent)).text).toContain("is no data folder of Vaze");
  expect((await importFrom(parent, "--folder", "a")).code).toBe(2);
});
