import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { BY_PASSWORD, OWNER } from "../../access/credentials.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { cacheCounts } from "../../domain/process-figures.ts";
import { createCommitCounter } from "./commit-counter.ts";
import { openConnection } from "./connection.ts";
import { createCredentialVersion } from "./credential-version.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

const KEY = "('k', 'hash', 'backend', 'hd_', 1, null, null, 'read', '', null, 1, null, null, null)";
const ROWS = [
  {
    add: `insert into api_keys (id, hash, name, prefix, created_at, last_used_at, expires_at, actions, folder_ids,
      parent_id, secret_version, old_hash, old_hash_ends_at, account_id) values ${KEY}`,
    change: "update api_keys set actions = 'write'",
    remove: "delete from api_keys",
  },
  {
    add: "insert into accounts (id, email, password_hash, created_at) values ('a', 'a@example.com', '', 1)",
    change: "update accounts set disabled_at = 2",
    remove: "delete from accounts",
  },
  {
    add: `insert into sessions (id, hash, account_id, user_agent, address, created_at, last_seen_at, expires_at)
      values ('s', 'h', 'a', '', '', 1, 1, 2)`,
    change: "update sessions set expires_at = 1",
    remove: "delete from sessions",
  },
];

test("changes with each change of credentials through another connection, and with no other commit", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const reader = openConnection(path);
  const commits = createCommitCounter(reader);
  const version = createCredentialVersion(reader, commits.generation);
  const other = new Database(path);
  other.run("pragma foreign_keys = off");
  const isChangedBy = (sql: string): boolean => {
    const before = version();
    other.run(sql);
    return version() !== before;
  };

  for (const { add, change, remove } of ROWS) {
    expect([add, change, remove].map(isChangedBy)).toEqual([true, true, true]);
  }
  const before = { version: version(), generation: commits.generation() };
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("photos"));
  expect(commits.generation()).not.toBe(before.generation);
  expect(version()).toBe(before.version);
  for (const sql of ["begin immediate", ROWS[1]?.add ?? "", "rollback"]) {
    expect(isChangedBy(sql)).toBe(false);
  }

  other.close();
  reader.close();
  await catalog.close();
  commits.close();
});

test("a catalog keeps found credentials across other commits, and finds changed ones anew", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  await catalog.addFirstAccount({
    id: "a",
    email: "a@example.com",
    passwordHash: "argon2",
    ...OWNER,
    createdAt: 1,
  });
  await catalog.addApiKey({
    id: "k",
    hash: "hash k",
    name: "backend",
    prefix: "hd_k",
    createdAt: 1,
    lastUsedAt: null,
    expiresAt: null,
    actions: ["read"],
    folder: null,
    parentId: null,
  });
  await catalog.addSession({
    id: "s",
    hash: "hash s",
    passwordHash: "argon2",
    accountId: "a",
    userAgent: "Browser/1.0",
    address: "192.0.2.1",
    createdAt: 1,
    lastSeenAt: 1,
    ...BY_PASSWORD,
    expiresAt: 1000,
  });
  const other = new Database(path);

  /** Looks up all four credentials. Returns them with the number of lookups that the cache answered. */
  async function find() {
    const before = { ...cacheCounts.credentials };
    const found = {
      name: (await catalog.apiKeyByHash("hash k"))?.name,
      keyById: (await catalog.apiKeyById("k"))?.name,
      expiresAt: (await catalog.sessionByHash("hash s"))?.expiresAt,
      email: (await catalog.accountById("a"))?.email,
    };
    const { hits, misses } = cacheCounts.credentials;
    return { ...found, hits: hits - before.hits, misses: misses - before.misses };
  }
  const found = { name: "backend", keyById: "backend", expiresAt: 1000, email: "a@example.com" };
  const FROM_CACHE = { hits: 4, misses: 0 };
  const ANEW = { hits: 0, misses: 4 };
  expect(await find()).toEqual({ ...found, ...ANEW });
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("photos"));
  expect(await find()).toEqual({ ...found, ...FROM_CACHE });
  other.run("update folders set name = name");
  expect(await find()).toEqual({ ...found, ...FROM_CACHE });

  other.run("update api_keys set name = 'renamed'");
  expect(await find()).toEqual({ ...found, name: "renamed", keyById: "renamed", ...ANEW });
  other.run("update sessions set expires_at = 2000");
  expect(await find()).toMatchObject({ expiresAt: 2000, ...ANEW });
  other.run("update accounts set email = 'b@example.com'");
  expect(await find()).toMatchObject({ email: "b@example.com", ...ANEW });
  expect(await find()).toMatchObject({ email: "b@example.com", ...FROM_CACHE });
  other.run("delete from api_keys");
  expect(await find()).toMatchObject({ name: undefined, keyById: undefined, ...ANEW });

  other.close();
  await catalog.close();
});
