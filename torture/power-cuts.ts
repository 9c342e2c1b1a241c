import { Database } from "bun:sqlite";
import { join } from "node:path";
import { randomInt } from "./random.ts";
import { requireTool } from "./require-tool.ts";
import { startServer } from "./server-process.ts";
import type { Row, Scale, Trial } from "./trial.ts";
import { createVolume, type FileSystem, type Volume } from "./volume.ts";
import { audit } from "./writers/audit.ts";
import { createWriter, type Writer } from "./writers/writer.ts";

/**
 * The power fails while eight clients write: every change acknowledged before must be there after
 * the reboot.
 */
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
/** How long the writers work before the power fails, in milliseconds. */
const MIN_WORK_MS = 150;
const MAX_WORK_MS = 1500;
const MAX_PROBLEMS = 20;

async function cutPower(fileSystem: FileSystem, scale: Scale): Promise<Row> {
  const tries = scale.tries(100, 2);
  const volume = createVolume(fileSystem);
  const problems: string[] = [];
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    createWriter(`writer-${at}`, (problem) => problems.push(problem)),
  );
  let [lost, leftovers, slowestStart] = [0, 0, 0];
  try {
    for (let at = 1; at <= tries && problems.length < MAX_PROBLEMS; at += 1) {
      await writeUntilPowerCut(volume, writers);
      const audited = await auditAfterReboot(volume, writers);
      lost += audited.lost.length;
      leftovers += audited.leftovers.length;
      slowestStart = Math.max(slowestStart, audited.startMs);
      const found = [...audited.lost, ...audited.leftovers, ...audited.others];
      problems.push(...found.map((text) => `cut ${at}: ${text}`));
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
    problems: problems.slice(0, MAX_PROBLEMS),
    note: `${acknowledged} changes acknowledged; slowest start ${Math.round(slowestStart)} ms`,
  };
}

/** Proves that the trial can fail: with fsync disabled, the same power cut must lose files. */
async function cutWithoutFsync(): Promise<Row> {
  requireTool("eatmydata");
  const volume = createVolume("ext4");
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    createWriter(`writer-${at}`, () => {}),
  );
  try {
    await writeUntilPowerCut(volume, writers, ["eatmydata"]);
    const { lost } = await auditAfterReboot(volume, writers);
    const row = { fault: "power cut, fsync disabled", tries: 1, lost: 0, leftovers: 0 };
    const problem = "Nothing was lost, so the power cuts prove nothing.";
    return {
      ...row,
      problems: lost.length > 0 ? [] : [problem],
      note: `${lost.length} lost, as expected`,
    };
  } finally {
    volume.remove();
  }
}

const dataPathOn = (volume: Volume): string => join(volume.path, "data");

async function writeUntilPowerCut(
  volume: Volume,
  writers: readonly Writer[],
  wrap: readonly string[] = [],
): Promise<void> {
  const server = await startServer(dataPathOn(volume), { wrap });
  try {
    let isCut = false;
    // An fsync in progress while the file system shuts down may succeed without effect. In a real
    // power cut nobody receives that response, so responses from now on do not count.
    const control = { mayFail: () => isCut, ignoresResponses: () => isCut };
    const working = Promise.all(writers.map((writer) => writer.run(server, control)));
    await Bun.sleep(randomInt(MIN_WORK_MS, MAX_WORK_MS));
    isCut = true;
    volume.cutPower();
    await server.kill();
    await working;
  } finally {
    await server.kill();
  }
}

async function auditAfterReboot(volume: Volume, writers: readonly Writer[]) {
  volume.reboot();
  const server = await startServer(dataPathOn(volume));
  try {
    const found = await audit(server, writers);
    const others = integrity(server.dataPath);
    const code = await server.stop();
    if (code !== 0) others.push(`The server exited with ${code}: ${server.output()}`);
    return { ...found, others, startMs: server.startMs };
  } finally {
    await server.kill();
  }
}

/** Problems that SQLite finds in the catalog. */
function integrity(dataPath: string): string[] {
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readwrite: true });
  try {
    const lines = catalog.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    return lines.map((line) => line.integrity_check).filter((text) => text !== "ok");
  } finally {
    catalog.close();
  }
}
