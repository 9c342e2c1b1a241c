import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { check } from "../check.ts";
import { type Holdings, nothing, withoutFiles } from "../holdings.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { startVictim, type Victim } from "../server.ts";
import { createTally, type Tally } from "../tally.ts";
import type { Row, Scale } from "../trial.ts";
import { upload, withAnswer } from "../uploads.ts";
import { mountSmallVolume, type SmallVolume } from "./small-volume.ts";

const VOLUME_MB = 24;

/**
 * One volume for everything, really full, to the last byte: uploads are refused, deletions work
 * and give room, and a server that was stopped starts again.
 */
export async function fillVolume(scale: Scale): Promise<Row> {
  const tally = createTally("disk full, everything");
  const rounds = scale.tries(10, 1);
  for (let round = 1; round <= rounds; round += 1) await fillOnce(tally, round);
  return tally.row();
}

async function fillOnce(tally: Tally, round: number): Promise<void> {
  const folder = temporaryFolder();
  const mounted = join(folder, "volume");
  mkdirSync(mounted);
  const volume = mountSmallVolume(mounted, VOLUME_MB);
  const dataPath = join(mounted, "data");
  let server: Victim | undefined;
  let step = "start";
  try {
    server = await startVictim(dataPath);
    step = "uploads until it is full";
    let holdings = await uploadUntilFull(server, round);
    volume.fill(0);
    tally.count(`round ${round}, full`, await check(server, holdings));

    step = "deletion on a full disk";
    const [first = "", second = "", ...rest] = holdings.files.keys();
    await remove(server, holdings, first);
    holdings = withoutFiles(holdings, [first]);
    tally.count(`round ${round}, after a deletion`, await check(server, holdings));

    step = "stop on a full disk";
    fillAgain(volume);
    const code = await server.stop();
    if (code !== 0) tally.problem(`round ${round}: the stop ended with ${code}.`);
    step = "start on a full disk";
    server = await startVictim(dataPath);
    tally.count(`round ${round}, started on a full disk`, await check(server, holdings));

    step = "start on a full disk after a kill";
    await server.kill();
    fillAgain(volume);
    server = await startVictim(dataPath);
    tally.count(`round ${round}, started after a kill`, await check(server, holdings));

    step = "deletions after it";
    for (const key of [second, ...rest]) {
      await remove(server, holdings, key);
      holdings = withoutFiles(holdings, [key]);
    }
    step = "an upload after it";
    volume.empty();
    const again = new Map([["again.bin", seededBytes(round, 500_000)]]);
    holdings = withAnswer(holdings, again, await upload(server, again));
    tally.count(`round ${round}, room again`, await check(server, holdings));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tally.problem(`round ${round}, ${step}: ${why}`);
  } finally {
    await server?.kill();
    volume.unmount();
    removeFolder(folder);
  }
}

/** Whatever has become free is taken by somebody else. */
function fillAgain(volume: SmallVolume): void {
  volume.empty();
  volume.fill(0);
}

async function uploadUntilFull(server: Victim, round: number): Promise<Holdings> {
  let holdings = nothing;
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

async function remove(server: Victim, holdings: Holdings, key: string): Promise<void> {
  const id = holdings.files.get(key)?.id;
  const answer = await api(server).json("DELETE", "/api/files", { id });
  if (answer.status !== 200) throw new Error(`${key}: ${answer.status} ${answer.text}`);
}
