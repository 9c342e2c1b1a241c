import { Database } from "bun:sqlite";
import { join } from "node:path";
import { between } from "./dice.ts";
import { startVictim } from "./server.ts";
import { needTool } from "./tools.ts";
import type { Row, Scale, Trial } from "./trial.ts";
import { createVolume, type FileSystem, type Volume } from "./volume.ts";
import { audit } from "./writers/audit.ts";
import { createWriter, type Writer } from "./writers/writer.ts";

/** The power fails while eight write: what was acknowledged before must be there after the boot. */
export const powerCuts: Trial = {
  name: "power-cuts",
  async run(scale) {
    const rows: Row[] = [];
    for (const fileSystem of ["ext4", "xfs"] as const) {
      rows.push(await cutPower(fileSystem, scale));
    }
    if (scale.tries(1, 0) > 0) rows.push(await cutWithoutFsync());
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
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    createWriter(`writer-${at}`, (problem) => problems.push(problem)),
  );
  let [lost, leftovers, slowestStart] = [0, 0, 0];
  try {
    for (let at = 1; at <= tries && problems.length < MOST_PROBLEMS; at += 1) {
      await writeUntilDark(volume, writers);
      const found = await lookAfterBoot(volume, writers);
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
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  return {
    fault: `power cut on ${fileSystem}`,
    tries,
    lost,
    leftovers,
    problems: problems.slice(0, MOST_PROBLEMS),
    note: `${acknowledged} changes acknowledged; slowest start ${Math.round(slowestStart)} ms`,
  };
}

/** The counter-proof: were nothing ever told to reach the disk, the same cut would be noticed. */
async function cutWithoutFsync(): Promise<Row> {
  needTool("eatmydata");
  const volume = createVolume("ext4");
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    createWriter(`writer-${at}`, () => {}),
  );
  try {
    await writeUntilDark(volume, writers, ["eatmydata"]);
    const { lost } = await lookAfterBoot(volume, writers);
    const row = { fault: "the same, had fsync no effect", tries: 1, lost: 0, leftovers: 0 };
    const problem = "Nothing was lost, so these cuts prove nothing.";
    return {
      ...row,
      problems: lost.length > 0 ? [] : [problem],
      note: `${lost.length} lost, as it must be`,
    };
  } finally {
    volume.remove();
  }
}

const dataPathOn = (volume: Volume): string => join(volume.path, "data");

async function writeUntilDark(
  volume: Volume,
  writers: readonly Writer[],
  wrap: readonly string[] = [],
): Promise<void> {
  const server = await startVictim(dataPathOn(volume), { wrap });
  try {
    let isDark = false;
    // An fsync under way while the file system shuts down may succeed without effect. In a true cut
    // nobody hears of it.
    const course = { isOver: () => isDark, isDark: () => isDark };
    const working = Promise.all(writers.map((writer) => writer.run(server, course)));
    await Bun.sleep(between(SHORTEST, LONGEST));
    isDark = true;
    volume.cutPower();
    await server.kill();
    await working;
  } finally {
    await server.kill();
  }
}

async function lookAfterBoot(volume: Volume, writers: readonly Writer[]) {
  volume.reboot();
  const server = await startVictim(dataPathOn(volume));
  try {
    const found = await audit(server, writers);
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
