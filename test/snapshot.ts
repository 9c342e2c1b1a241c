import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { api } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import type { TestServer } from "./harness.ts";
import { browseData, type FolderShape } from "./shapes.ts";
import { isOnDisk } from "./test-stores.ts";

/** The blobs on disk, as paths with sizes, sorted. */
export function blobsOf(dataPath: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(join(dataPath, "blobs"), { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
  const found: string[] = [];
  for (const entry of entries) {
    const status = statSync(join(dataPath, "blobs", entry), { throwIfNoEntry: false });
    if (status?.isFile()) found.push(`${entry} ${status.size}`);
  }
  return found.sort();
}

/** Tables that every request or the time changes: the last use of keys, traffic, and the server's lease. */
const ALWAYS_CHANGING = new Set(["api_keys", "credential_version", "counters", "blob_leases"]);

/** All other rows of a catalog of SQLite, with their tables, sorted. Empty on PostgreSQL. */
export function catalogRows({ dataPath }: Pick<TestServer, "dataPath">): string[] {
  if (!isOnDisk) return [];
  const database = new Database(join(dataPath, "catalog.sqlite"), { readonly: true });
  const query = "select name from sqlite_master where type = 'table'";
  const tables = database.query(query).values().flat().map(String);
  const rows = tables
    .filter((table) => !ALWAYS_CHANGING.has(table))
    .flatMap((table) => {
      const found = database.query(`select * from "${table}"`).all();
      return found.map((row) => `${table} ${JSON.stringify(row)}`);
    });
  database.close();
  return rows.sort();
}

async function foldersBelow(server: TestServer, id: string | null): Promise<FolderShape[]> {
  const selector = id === null ? "" : `?id=${encodeURIComponent(id)}`;
  const shown = expectData(await api(server).get(`/api/folders${selector}`), browseData);
  const below: FolderShape[] = [shown.folder];
  for (const child of shown.folders) below.push(...(await foldersBelow(server, child.id)));
  return below;
}

async function recordsOf(server: TestServer) {
  return {
    files: await api(server).list("?orderBy=createdAt"),
    folders: (await foldersBelow(server, null)).sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/**
 * Expects that `act` creates, changes and removes no files or folders and leaves no blobs; returns
 * its result.
 */
export async function expectUnchanged<Result>(
  server: TestServer,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = await recordsOf(server);
  const blobs = new Set(blobsOf(server.dataPath));
  const result = await act();
  expect(await recordsOf(server)).toEqual(before);
  await eventually("no bytes are left behind", () =>
    blobsOf(server.dataPath).every((blob) => blobs.has(blob)),
  );
  return result;
}
