import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";
import {
  addForeignFiles,
  type Damage,
  deleteBlob,
  filesOutsideLeases,
  flip,
  toggleBit,
} from "./damage.ts";
import { killedRepairs } from "./killed-repairs.ts";
import { runVerify, type VerifyLine, valuesOf } from "./run-verify.ts";
import { startTraffic, uploadMany } from "./traffic.ts";

/**
 * Flipped bits, missing blobs and foreign files: all found, no false positives, repaired as
 * documented.
 */
export const verifying: Trial = {
  name: "verify",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"));
    try {
      const found = await findAndRepair(server, scale);
      await server.stop();
      return [...found, await killedRepairs(server.dataPath, scale)];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

async function findAndRepair(server: ServerProcess, scale: Scale): Promise<Row[]> {
  const { dataPath } = server;
  const counts = {
    flipped: scale.tries(1000, 50),
    missing: scale.tries(100, 5),
    foreign: scale.tries(100, 5),
  };
  await uploadMany(server, counts.flipped + counts.missing + 2 * counts.foreign + 600);
  const endTraffic = startTraffic(server);
  const before = await runVerify(dataPath);
  scale.progress("uploaded");

  const damage = await inflictDamage(server, counts);
  const first = await runVerify(dataPath);
  const quick = await runVerify(dataPath, "--quick");
  scale.progress("checked");
  const repair = await runVerify(dataPath, "--repair");
  const second = await runVerify(dataPath);
  for (const bit of damage.flipped.values()) toggleBit(bit);
  const last = await runVerify(dataPath);
  const { rounds, problems } = await endTraffic();
  scale.progress("repaired");

  const clean: Damage = { flipped: new Map(), missing: new Set(), foreign: new Map() };
  const rotten = { ...clean, flipped: damage.flipped };
  const reports = [
    compare("before", before, clean),
    compare("after", first, damage),
    compare("--quick", quick, { ...damage, flipped: new Map() }),
    compare("--repair", repair, damage),
    compare("after --repair", second, rotten),
    compare("at the end", last, clean),
  ];
  const tries = counts.flipped + counts.missing + counts.foreign;
  const note = `${rounds} concurrent uploads and deletions`;
  return [
    {
      fault: "flipped bits, missing blobs, foreign files",
      tries,
      note,
      lost: reports.flatMap(({ lost }) => lost).length,
      leftovers: reports.flatMap(({ falsePositives }) => falsePositives).length,
      problems: [
        ...problems,
        ...reports
          .flatMap((report) => [...report.lost, ...report.falsePositives, ...report.problems])
          .slice(0, 20),
      ],
    },
    await repaired(server, repair.lines, damage),
  ];
}

async function inflictDamage(
  server: ServerProcess,
  counts: { readonly flipped: number; readonly missing: number; readonly foreign: number },
): Promise<Damage> {
  const { dataPath } = server;
  const [files, flipped, missing] = [filesOutsideLeases(dataPath), new Map(), new Set<string>()];
  // Spread every kind of damage over the whole store.
  files.sort(() => Math.random() - 0.5);
  for (const { id, place } of files.splice(0, counts.flipped))
    flipped.set(id, flip(dataPath, place));
  for (const { id, place } of files.splice(0, counts.missing)) {
    deleteBlob(dataPath, place);
    missing.add(id);
  }
  const deleted = files.splice(0, counts.foreign);
  await api(server).json("DELETE", "/api/files", { ids: deleted.map(({ id }) => id) });
  const free = deleted.map(({ place }) => place);
  return { flipped, missing, foreign: addForeignFiles(dataPath, counts.foreign, free) };
}

/** Compares a report with the inflicted damage. */
function compare(
  when: string,
  { code, lines, errors }: { code: number; lines: readonly VerifyLine[]; errors: string },
  { flipped, missing, foreign }: Damage,
) {
  const expected = new Set([
    ...[...flipped.keys()].map((id) => `damaged ${id}`),
    ...[...missing].map((id) => `missing ${id}`),
    ...[...foreign.keys()].map((place) => `foreign ${place}`),
  ]);
  const findings = [
    ...valuesOf(lines, "damaged", "id").map((id) => `damaged ${id}`),
    ...valuesOf(lines, "missing", "id").map((id) => `missing ${id}`),
    ...valuesOf(lines, "foreign", "place").map((place) => `foreign ${place}`),
    ...valuesOf(lines, "catalog", "detail").map((detail) => `catalog ${detail}`),
  ];
  const problems: string[] = [];
  const wanted = expected.size === 0 ? 0 : 1;
  if (code !== wanted)
    problems.push(`${when}: the exit code was ${code}, not ${wanted}. ${errors}`);
  if (new Set(findings).size < findings.length)
    problems.push(`${when}: a finding is reported twice.`);
  const found = lines.at(-1)?.found;
  const summary = {
    missing: missing.size,
    damaged: flipped.size,
    foreign: foreign.size,
    catalog: 0,
  };
  if (JSON.stringify(found) !== JSON.stringify(summary)) {
    problems.push(
      `${when}: the summary is ${JSON.stringify(found)}, not ${JSON.stringify(summary)}.`,
    );
  }
  const seen = new Set(findings);
  return {
    lost: [...expected].filter((one) => !seen.has(one)).map((one) => `${when}: not found: ${one}`),
    falsePositives: findings
      .filter((one) => !expected.has(one))
      .map((one) => `${when}: false positive: ${one}`),
    problems,
  };
}

/** Compares what a repair did with its report and with the inflicted damage. */
async function repaired(
  server: ServerProcess,
  lines: readonly VerifyLine[],
  damage: Damage,
): Promise<Row> {
  const { dataPath } = server;
  const [moved, removed] = [valuesOf(lines, "moved", "place"), valuesOf(lines, "removed", "id")];
  const problems: string[] = [];
  const lost: string[] = [];
  const [time = "", ...more] = readdirSync(join(dataPath, "quarantine"));
  if (more.length > 0) problems.push("There is more than one quarantine.");
  const quarantine = join(dataPath, "quarantine", time);
  for (const [place, text] of damage.foreign) {
    const path = join(quarantine, "blobs", place);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) lost.push(`${place} is missing.`);
    if (existsSync(join(dataPath, "blobs", place))) problems.push(`${place} still exists.`);
  }
  const kept = new Set(recordsIn(quarantine).map(({ id }) => id));
  const there = new Set((await api(server).list()).map(({ id }) => id));
  for (const id of damage.missing) {
    if (!kept.has(id)) lost.push(`The record ${id} is not in quarantine.`);
    if (there.has(id)) problems.push(`The record ${id} still exists.`);
  }
  for (const id of damage.flipped.keys()) {
    if (!there.has(id)) lost.push(`The damaged file ${id} is missing.`);
  }
  if (!isSame(moved, damage.foreign.keys())) problems.push("The report of moved files is wrong.");
  if (!isSame(removed, damage.missing)) problems.push("The report of removed records is wrong.");
  return {
    fault: "--repair and its report",
    tries: damage.foreign.size + damage.missing.size,
    lost: lost.length,
    leftovers: kept.size - damage.missing.size,
    problems: [...lost, ...problems].slice(0, 20),
  };
}

const isSame = (some: Iterable<string>, others: Iterable<string>): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());

function recordsIn(quarantine: string): { id: string }[] {
  const path = join(quarantine, "records.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
