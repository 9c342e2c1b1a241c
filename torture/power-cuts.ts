import { Database } from "bun:sqlite";
import { join } from "node:path";
import { randomInt } from "./random.ts";
import { requireTool } from "./require-tool.ts";
import { createUploader } from "./resumable/uploader.ts";
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
      for (const crew of CREWS) rows.push(await cutPower(fileSystem, crew, scale));
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

/** The clients that write meanwhile. */
interface Crew {
  readonly fault: string;
  readonly tries: readonly [full: number, short: number];
  create(folder: string, onProblem: (problem: string) => void): Writer;
}

const CREWS: readonly Crew[] = [
  { fault: "power cut", tries: [100, 2], create: createWriter },
  { fault: "power cut, resumable uploads", tries: [100, 1], create: createUploader },
];

async function cutPower(fileSystem: FileSystem, crew: Crew, scale: Scale): Promise<Row> {
  const tries = scale.tries(...crew.tries);
  const volume = createVolume(fileSystem);
  const problems: string[] = [];
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    crew.create(`writer-${at}`, (problem) => problems.push(problem)),
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
  return {
    fault: `${crew.fault}, on ${fileSystem}`,
    tries,
    lost,
    leftovers,
    problems: problems.slice(0, MAX_PROBLEMS),
    note: `${noteOf(writers)}; slowest start ${Math.round(slowestStart)} ms`,
  };
}

function noteOf(writers: readonly Writer[]): string {
  const changes = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  const offsets = writers.reduce((sum, writer) => sum + (writer.offsetsAcknowledged ?? 0), 0);
  return `${changes} changes${offsets === 0 ? "" : ` and ${offsets} offsets`} acknowledged`;
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
    const broken: string[] = [];
    for (const { findBroken } of writers) broken.push(...((await findBroken?.(server)) ?? []));
    const found = await audit(server, writers);
    const others = integrity(server.dataPath);
    if (found.leftovers.length > 0) others.push(`The server printed: ${server.output()}`);
    const code = await server.stop();
    if (code !== 0) others.push(`The server exited with ${code}: ${server.output()}`);
    return { ...found, lost: [...broken, ...found.lost], others, startMs: server.startMs };
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
