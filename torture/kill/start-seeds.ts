import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyInventory, type Inventory } from "../inventory.ts";
import { API_KEY, startServer } from "../server-process.ts";
import { upload, withAnswer } from "../uploads.ts";
import { warmUp } from "./operations.ts";
import type { Seed } from "./seed.ts";

/** A start that has something to do. */
export interface Start {
  readonly name: string;
  /** The data folder it starts on; null: there is none yet. */
  readonly dataPath: string | null;
  readonly holdings: Inventory;
  readonly apiKey: string;
}

/** Starts of every kind, with their data folders made below `folder`. */
export async function makeStarts(folder: string, seed: Seed): Promise<Start[]> {
  const killed = await makeKilled(folder, seed);
  const lapsed = makeLapsed(folder, killed);
  return [
    { name: "first start", dataPath: null, holdings: emptyInventory, apiKey: API_KEY },
    { name: "start with a new key", ...seed, apiKey: "another-torture-key-0123" },
    { name: "start after a kill", ...killed, apiKey: API_KEY },
    { name: "sweep at the start", ...lapsed, apiKey: API_KEY },
  ];
}

/** The data folder of a server that was killed: its last commits are in the side file alone. */
async function makeKilled(folder: string, seed: Seed): Promise<Seed> {
  const dataPath = join(folder, "killed");
  cpSync(seed.dataPath, dataPath, { recursive: true });
  const server = await startServer(dataPath);
  const more = new Map([["pics/late.bin", new Uint8Array(12_345)]]);
  let holdings = await warmUp(server, seed.holdings);
  holdings = withAnswer(holdings, more, await upload(server, more));
  await server.kill();
  return { dataPath, holdings };
}

/**
 * The data folder of a server that was killed in the middle of uploads and deletions, whose leases
 * have been declared dead already, so that all that is left to do is the writer's.
 */
function makeLapsed(folder: string, killed: Seed): Seed {
  const dataPath = join(folder, "lapsed");
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
  return { dataPath, holdings: killed.holdings };
}
