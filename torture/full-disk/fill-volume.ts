import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
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
 * One volume for everything, really full, to the last byte: uploads are refused, a server that was
 * stopped or killed starts again, deletions work, and uploads do once there is room.
 */
export async function fillVolume(scale: Scale): Promise<Row> {
  const tally = createResultCounter("disk full, everything");
  const rounds = scale.tries(10, 1);
  for (let round = 1; round <= rounds; round += 1) await fillOnce(tally, round);
  return tally.row();
}

async function fillOnce(tally: ResultCounter, round: number): Promise<void> {
  const folder = temporaryFolder();
  const mounted = join(folder, "volume");
  mkdirSync(mounted);
  const volume = mountSmallVolume(mounted, VOLUME_MB);
  const dataPath = join(mounted, "data");
  let server: ServerProcess | undefined;
  let step = "start";
  try {
    server = await startServer(dataPath);
    step = "uploads until it is full";
    await eventually("the ballast is taken", () => hasReservedSpace(dataPath), 10_000);
    let holdings = await uploadUntilFull(server, round);
    step = "deletions until the ballast is held";
    while (!(await regainsReservedSpace(dataPath))) {
      const [key = ""] = holdings.files.keys();
      await remove(server, holdings, key);
      holdings = withoutFiles(holdings, [key]);
    }
    volume.fill(0);
    tally.count(`round ${round}, full`, await checkServer(server, holdings));

    step = "stop on a full disk";
    const code = await server.stop();
    if (code !== 0) tally.problem(`round ${round}: the stop ended with ${code}.`);
    step = "start on a full disk";
    server = await startServer(dataPath);
    tally.count(`round ${round}, started on a full disk`, await checkServer(server, holdings));

    step = "start after a kill";
    await server.kill();
    server = await startServer(dataPath);
    tally.count(`round ${round}, started after a kill`, await checkServer(server, holdings));

    step = "deletions";
    for (const key of [...holdings.files.keys()].slice(1)) {
      await remove(server, holdings, key);
      holdings = withoutFiles(holdings, [key]);
    }
    tally.count(`round ${round}, after deletions`, await checkServer(server, holdings));

    step = "an upload where there is room again";
    volume.empty();
    const again = new Map([["again.bin", seededBytes(round, 500_000)]]);
    await eventually("the ballast is taken back", () => hasReservedSpace(dataPath), 10_000);
    holdings = withAnswer(holdings, again, await upload(server, again));
    tally.count(`round ${round}, room again`, await checkServer(server, holdings));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tally.problem(`round ${round}, ${step}: ${why}`);
  } finally {
    await server?.kill();
    volume.unmount();
    removeFolder(folder);
  }
}

/** Whether the server has set aside the room that it keeps for such a time. */
function hasReservedSpace(dataPath: string): boolean {
  const { blocks } = statSync(join(dataPath, "ballast"), { throwIfNoEntry: false }) ?? {
    blocks: 0,
  };
  return blocks * 512 >= (VOLUME_MB * 1024 * 1024) / 8;
}

/** Whether the server holds it, or takes it back by itself now that some room may have been made. */
async function regainsReservedSpace(dataPath: string): Promise<boolean> {
  for (let attempt = 0; attempt < 25; attempt += 1) {
    if (hasReservedSpace(dataPath)) return true;
    await Bun.sleep(100);
  }
  return false;
}

async function uploadUntilFull(server: ServerProcess, round: number): Promise<Inventory> {
  let holdings = emptyInventory;
  for (let number = 1; number < 100; number += 1) {
    const size = 400_000 + round * 12_345;
    const bundle = new Map([[`files/${number}.bin`, seededBytes(number, size)]]);
    const answer = await upload(server, bundle);
    if (answer.status !== 200) {
      expectFault(answer, 507);
      return holdings;
    }
    holdings = withAnswer(holdings, bundle, answer);
  }
  throw new Error("It was never full.");
}

async function remove(server: ServerProcess, holdings: Inventory, key: string): Promise<void> {
  const id = holdings.files.get(key)?.id;
  const answer = await api(server).json("DELETE", "/api/files", { id });
  if (answer.status !== 200) throw new Error(`${key}: ${answer.status} ${answer.text}`);
}
