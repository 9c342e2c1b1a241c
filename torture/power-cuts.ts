import { Database } from "bun:sqlite";
import { join } from "node:path";
import { audit } from "./audit.ts";
import { between } from "./dice.ts";
import { createLane, type Lane } from "./lane.ts";
import { startVictim } from "./server.ts";
import type { Row, Scale, Trial } from "./trial.ts";
import { createVolume, type FileSystem, type Volume } from "./volume.ts";

/** The power fails while eight write: what was acknowledged before must be there after the boot. */
export const powerCuts: Trial = {
  name: "power-cuts",
  async run(scale) {
    const rows: Row[] = [];
    for (const fileSystem of ["ext4", "xfs"] as const) {
      rows.push(await cutPower(fileSystem, scale));
    }
    return rows;
  },
};

const WRITERS = 8;
/** Writers that work for so long, in milliseconds, before the power fails. */
const SHORTEST = 150;
const LONGEST = 1500;
/** Problems are told apart by eye, and the first ones tell most. */
const MOST_PROBLEMS = 20;

async function cutPower(fileSystem: FileSystem, scale: Scale): Promise<Row> {
  const tries = scale.tries(100, 2);
  const volume = createVolume(fileSystem);
  const problems: string[] = [];
  const lanes = Array.from({ length: WRITERS }, (_, at) =>
    createLane(`writer-${at}`, (problem) => problems.push(problem)),
  );
  let [lost, leftovers, slowestStart] = [0, 0, 0];
  try {
    for (let at = 1; at <= tries && problems.length < MOST_PROBLEMS; at += 1) {
      await writeUntilDark(volume, lanes);
      const found = await lookAfterBoot(volume, lanes);
      lost += found.lost.length;
      leftovers += found.leftovers.length;
      slowestStart = Math.max(slowestStart, found.startMs);
      const told = [...found.lost, ...found.leftovers, ...found.others];
      problems.push(...told.map((text) => `cut ${at}: ${text}`));
      if (at % 10 === 0) scale.progress(`${at} cuts on ${fileSystem}`);
    }
  } finally {
    volume.remove();
  }
  const acknowledged = lanes.reduce((sum, lane) => sum + lane.acknowledged, 0);
  return {
    fault: `power cut on ${fileSystem}`,
    tries,
    lost,
    leftovers,
    problems: problems.slice(0, MOST_PROBLEMS),
    note: `${acknowledged} changes acknowledged; slowest start ${Math.round(slowestStart)} ms`,
  };
}

const dataPathOn = (volume: Volume): string => join(volume.path, "data");

async function writeUntilDark(volume: Volume, lanes: readonly Lane[]): Promise<void> {
  const server = await startVictim(dataPathOn(volume));
  try {
    let isDark = false;
    const working = Promise.all(lanes.map((lane) => lane.run(server, () => isDark)));
    await Bun.sleep(between(SHORTEST, LONGEST));
    isDark = true;
    volume.cutPower();
    await server.kill();
    await working;
  } finally {
    await server.kill();
  }
}

async function lookAfterBoot(volume: Volume, lanes: readonly Lane[]) {
  volume.reboot();
  const server = await startVictim(dataPathOn(volume));
  try {
    const found = await audit(server, lanes);
    const others = integrity(server.dataPath);
    const code = await server.stop();
    if (code !== 0) others.push(`The server ended with ${code}: ${server.output()}`);
    return { ...found, others, startMs: server.startMs };
  } finally {
    await server.kill();
  }
}

/** What SQLite has to say against the catalog. */
function integrity(dataPath: string): string[] {
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readwrite: true });
  try {
    const lines = catalog.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    return lines.map((line) => line.integrity_check).filter((text) => text !== "ok");
  } finally {
    catalog.close();
  }
}
