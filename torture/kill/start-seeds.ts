import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Release, releases } from "../../test/releases/releases.fixture.ts";
import { digestOf, emptyInventory, type Inventory, withFile, withFolder } from "../inventory.ts";
import { API_KEY, startServer } from "../server-process.ts";
import { upload, withAnswer } from "../uploads.ts";
import { warmUp } from "./operations.ts";
import type { Seed } from "./seed.ts";

/** A start of the server, and the data folder for it. */
export interface Start {
  readonly name: string;
  /** null: the data folder does not exist yet. */
  readonly dataPath: string | null;
  readonly inventory: Inventory;
  readonly apiKey: string;
}

/** Creates the data folders for every kind of start below `folder`. */
export async function makeStarts(folder: string, seed: Seed): Promise<Start[]> {
  const killed = await makeKilled(folder, seed);
  const expired = makeExpired(folder, killed);
  return [
    { name: "first start", dataPath: null, inventory: emptyInventory, apiKey: API_KEY },
    { name: "start with a new key", ...seed, apiKey: "another-torture-key-0123" },
    { name: "start after a kill", ...killed, apiKey: API_KEY },
    { name: "sweep at the start", ...expired, apiKey: API_KEY },
    ...releases.map(upgradeOf),
  ];
}

/** The first start on the data folder of an earlier release. */
function upgradeOf({ version, contents, dataFolder }: Release): Start {
  let inventory = emptyInventory;
  for (const [key, { visibility, text }] of Object.entries(contents.files)) {
    const bytes = new TextEncoder().encode(text);
    const file = { id: null, visibility, size: bytes.length, digest: digestOf(bytes) };
    inventory = withFile(inventory, key, file);
  }
  for (const folder of contents.folders) inventory = withFolder(inventory, folder);
  const name = `upgrade from ${version}`;
  return { name, dataPath: dataFolder(), inventory, apiKey: API_KEY };
}

/** The data folder of a killed server, whose last commits are only in the write-ahead log. */
async function makeKilled(folder: string, seed: Seed): Promise<Seed> {
  const dataPath = join(folder, "killed");
  cpSync(seed.dataPath, dataPath, { recursive: true });
  const server = await startServer(dataPath);
  const more = new Map([["pics/late.bin", new Uint8Array(12_345)]]);
  let inventory = await warmUp(server, seed.inventory);
  inventory = withAnswer(inventory, more, await upload(server, more));
  await server.kill();
  return { dataPath, inventory };
}

/**
 * The data folder of a server that was killed during uploads and deletions. Its leases are already
 * marked as dead, so that only the sweep is left to do.
 */
function makeExpired(folder: string, killed: Seed): Seed {
  const dataPath = join(folder, "expired");
  cpSync(killed.dataPath, dataPath, { recursive: true });
  const catalog = new Database(join(dataPath, "catalog.sqlite"));
  catalog.run("update blob_leases set owner = ''");
  const leased = catalog.query<{ block: number }, []>("select block from blob_leases").get();
  const [second, deleted] = [0x0abcdef0123, 0x0fedcba3210];
  catalog.run("insert into blob_leases (block, owner, heartbeat) values (?, '', 0)", [second]);
  catalog.run("insert into condemned (blob_id, condemned_at) values (?, 1), (?, 2)", [
    deleted * 256 + 5,
    deleted * 256 + 6,
  ]);
  catalog.close();
  const put = (block: number, position: string, bytes: number) => {
    const path = join(dataPath, "blobs", block.toString(16).padStart(11, "0"));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, position), new Uint8Array(bytes));
  };
  for (const position of ["10", "11"]) put(leased?.block ?? 0, position, 5_000);
  for (const position of ["00", "01", "02"]) put(second, position, 7_000);
  for (const position of ["05", "06"]) put(deleted, position, 9_000);
  return { dataPath, inventory: killed.inventory };
}
