import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { reserveOf } from "../../server/catalog/sqlite/disk-reserve.ts";
import { api } from "../../test/client.ts";
import { eventually, expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { checkServer } from "../check-server.ts";
import { emptyInventory, type Inventory, withoutFiles } from "../inventory.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { upload, withAnswer } from "../uploads.ts";
import { mountSmallVolume } from "./small-volume.ts";

const VOLUME_MB = 24;

/**
 * One volume for everything, full to the last byte: uploads are refused, a stopped or killed server
 * starts again, deletions work, and uploads work once there is space.
 */
export async function fillVolume(scale: Scale): Promise<Row> {
  const results = createResultCounter("disk full, everything");
  const rounds = scale.tries(10, 1);
  for (let round = 1; round <= rounds; round += 1) await fillOnce(results, round);
  return results.row();
}

async function fillOnce(results: ResultCounter, round: number): Promise<void> {
  const folder = temporaryFolder();
  const mounted = join(folder, "volume");
  mkdirSync(mounted);
  const volume = mountSmallVolume(mounted, VOLUME_MB);
  const dataPath = join(mounted, "data");
  let server: ServerProcess | undefined;
  let step = "start";
  try {
    server = await startServer(dataPath);
    step = "uploads until full";
    await eventually("the space is reserved", () => hasReservedSpace(dataPath));
    let inventory = await uploadUntilFull(server, round);
    step = "deletions until the space is reserved";
    while (!(await regainsReservedSpace(dataPath))) {
      const [key = ""] = inventory.files.keys();
      await remove(server, inventory, key);
      inventory = withoutFiles(inventory, [key]);
    }
    volume.fill(0);
    results.count(`round ${round}, full`, await checkServer(server, inventory));

    step = "stop on a full disk";
    const code = await server.stop();
    if (code !== 0) results.problem(`round ${round}: the stop exited with ${code}.`);
    step = "start on a full disk";
    server = await startServer(dataPath);
    results.count(`round ${round}, started on a full disk`, await checkServer(server, inventory));

    step = "start after a kill";
    await server.kill();
    server = await startServer(dataPath);
    results.count(`round ${round}, started after a kill`, await checkServer(server, inventory));

    step = "deletions";
    for (const key of [...inventory.files.keys()].slice(1)) {
      await remove(server, inventory, key);
      inventory = withoutFiles(inventory, [key]);
    }
    results.count(`round ${round}, after deletions`, await checkServer(server, inventory));

    step = "an upload with space again";
    volume.empty();
    const again = new Map([["again.bin", seededBytes(round, 500_000)]]);
    await eventually("the space is reserved again", () => hasReservedSpace(dataPath));
    inventory = withAnswer(inventory, again, await upload(server, again));
    results.count(`round ${round}, space again`, await checkServer(server, inventory));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    results.problem(`round ${round}, ${step}: ${why}`);
  } finally {
    await server?.kill();
    volume.unmount();
    removeFolder(folder);
  }
}

/** Whether the server has its reserved space. */
function hasReservedSpace(dataPath: string): boolean {
  const { blocks } = statSync(reserveOf(join(dataPath, "catalog.sqlite")), {
    throwIfNoEntry: false,
  }) ?? {
    blocks: 0,
  };
  return blocks * 512 >= (VOLUME_MB * 1024 * 1024) / 8;
}

/** Whether the server has or regains its reserved space within 2.5 seconds. */
async function regainsReservedSpace(dataPath: string): Promise<boolean> {
  for (let attempt = 0; attempt < 25; attempt += 1) {
    if (hasReservedSpace(dataPath)) return true;
    await Bun.sleep(100);
  }
  return false;
}

async function uploadUntilFull(server: ServerProcess, round: number): Promise<Inventory> {
  let inventory = emptyInventory;
  for (let number = 1; number < 100; number += 1) {
    const size = 400_000 + round * 12_345;
    const bundle = new Map([[`files/${number}.bin`, seededBytes(number, size)]]);
    const answer = await upload(server, bundle);
    if (answer.status !== 200) {
      expectFault(answer, 507);
      return inventory;
    }
    inventory = withAnswer(inventory, bundle, answer);
  }
  throw new Error("The volume never became full.");
}

async function remove(server: ServerProcess, inventory: Inventory, key: string): Promise<void> {
  const id = inventory.files.get(key)?.id;
  const answer = await api(server).json("DELETE", "/api/files", { id });
  if (answer.status !== 200) throw new Error(`${key}: ${answer.status} ${answer.text}`);
}
