import { Database } from "bun:sqlite";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import { field, filePart } from "../../test/multipart.ts";
import { filesData } from "../../test/shapes.ts";
import { digestOf } from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";

/** Data folders of a server that was killed, and what it had acknowledged. */
export interface Seed {
  /** The latest changes are in the log. */
  readonly inLog: string;
  /** All changes are in the catalog's file, and the log is empty. */
  readonly inFile: string;
  /** The catalog and the log of `inLog`, as of a moment before its last uploads. */
  readonly older: string;
  /** Digests of the contents of all files, by key. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Fewer than a block, so that all blobs are in the block that the sweep of the next start examines. */
const FILES = 120;

export const CATALOG_FILES = ["catalog.sqlite", "catalog.sqlite-wal"] as const;

export async function makeSeed(folder: string): Promise<Seed> {
  const seed = {
    inLog: join(folder, "in-log"),
    inFile: join(folder, "in-file"),
    older: join(folder, "older"),
  };
  const digests = new Map<string, string>();
  const server = await startServer(seed.inLog);
  try {
    await uploadAll(server, 0, FILES / 2, digests);
    // Leaves records of deleted files and folders behind.
    await uploadAll(server, FILES, FILES + 20, new Map());
    for (const { id, key } of await api(server).list()) {
      if (!digests.has(key)) await api(server).json("DELETE", "/api/files", { id });
    }
    for (const name of CATALOG_FILES) cpSync(join(seed.inLog, name), join(seed.older, name));
    await uploadAll(server, FILES / 2, FILES, digests);
  } finally {
    await server.kill();
  }
  cpSync(seed.inLog, seed.inFile, { recursive: true });
  const catalog = new Database(join(seed.inFile, "catalog.sqlite"));
  catalog.run("PRAGMA wal_checkpoint(TRUNCATE)");
  catalog.close();
  return { ...seed, digests };
}

async function uploadAll(
  server: ServerProcess,
  from: number,
  to: number,
  digests: Map<string, string>,
): Promise<void> {
  for (let n = from; n < to; n += 5) {
    const contents = Array.from({ length: 5 }, (_, at) => seededBytes(n + at, 100 + 37 * (n + at)));
    const parts = contents.map((content, at) => filePart(`file ${n + at}`, content));
    const answer = await api(server).upload([field("folder", `Folder ${n % 20}`), ...parts]);
    const { files } = expectData(answer, filesData);
    for (const [at, { key }] of files.entries()) {
      digests.set(key, digestOf(contents[at] ?? new Uint8Array()));
    }
  }
}
