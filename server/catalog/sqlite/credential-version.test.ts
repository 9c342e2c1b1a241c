import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
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

test("changes with each change of credentials by another process, and with no other commit", async () => {
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
