import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { digestOf } from "../inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import type { Row, Scale, Trial } from "../trial.ts";
import { runVerify } from "../verify/run-verify.ts";
import { deleteSome } from "./delete-some.ts";
import { flipInBlob, flipInCatalog, flipInLog } from "./flip-bit.ts";
import { CATALOG_FILES, makeSeed, type Seed } from "./seed.ts";
import { startAndSweep } from "./start-and-sweep.ts";

/**
 * Flips bits in the log, the catalog and the blobs of a killed server, or puts an older catalog in
 * place. After a start with its sweep, some deletions and a repair, every acknowledged content that
 * was not deleted must still be in the store or in the quarantine.
 */
export const flips: Trial = {
  name: "flips",
  async run(scale) {
    const folder = temporaryFolder();
    try {
      const seed = await makeSeed(join(folder, "seed"));
      const dataPath = join(folder, "data");
      const damages: readonly Damage[] = [
        { fault: "flipped bit in the log", from: seed.inLog, tries: [200, 5], inflict: flipInLog },
        {
          fault: "flipped bit in the catalog",
          from: seed.inFile,
          tries: [200, 5],
          inflict: flipInCatalog,
        },
        { fault: "flipped bit in a blob", from: seed.inLog, tries: [40, 2], inflict: null },
        {
          fault: "older catalog",
          from: seed.inLog,
          tries: [10, 2],
          inflict: () => putOlder(seed, dataPath),
        },
      ];
      const rows: Row[] = [];
      for (const damage of damages) rows.push(await inflictMany(damage, { seed, dataPath, scale }));
      return rows;
    } finally {
      removeFolder(folder);
    }
  },
};

interface Damage {
  readonly fault: string;
  /** The data folder to damage. */
  readonly from: string;
  /** The number of tries in a full and in a short run. */
  readonly tries: readonly [full: number, short: number];
  /** Damages a data folder and returns how. null: a blob is damaged, whose content changes. */
  readonly inflict: ((dataPath: string) => string) | null;
}

interface Round {
  readonly seed: Seed;
  readonly dataPath: string;
  readonly scale: Scale;
}

async function inflictMany(damage: Damage, { seed, dataPath, scale }: Round): Promise<Row> {
  const counter = createResultCounter(damage.fault);
  const tries = scale.tries(...damage.tries);
  const outcomes = { refused: 0, quarantined: 0 };
  for (let at = 1; at <= tries; at += 1) {
    rmSync(dataPath, { recursive: true, force: true });
    cpSync(damage.from, dataPath, { recursive: true });
    const expected = new Set(seed.digests.values());
    const what = inflict(damage, dataPath, expected);

    const { served, output, keys } = await startAndSweep(dataPath, (server) =>
      deleteSome(server, expected),
    );
    const lost = missing(dataPath, expected);
    if (served) {
      await runVerify(dataPath, "--repair");
      lost.push(...missing(dataPath, expected));
      if (existsSync(join(dataPath, "quarantine"))) outcomes.quarantined += 1;
    } else outcomes.refused += 1;
    counter.count(what, { lost, extra: [], leftovers: [] });
    if (!served && !output.includes(dataPath)) {
      counter.problem(`${what}: the refusal does not name the file: ${output}`);
    }
    // What SQLite ignores must not go unnoticed. It cannot notice each changed value in its file.
    const isSilent = !output.includes("damage");
    if (served && isSilent && damage.from === seed.inLog && keys.size < seed.digests.size) {
      counter.problem(`${what}: ${seed.digests.size - keys.size} records are lost without a word.`);
    }
    if (at % 50 === 0) scale.progress(`${at} of ${tries}: ${damage.fault}`);
  }
  const { refused, quarantined } = outcomes;
  return counter.row(`${refused} starts refused, ${quarantined} with a quarantine`);
}

function inflict({ inflict: damage }: Damage, dataPath: string, expected: Set<string>): string {
  if (damage !== null) return damage(dataPath);
  const { what, from, to } = flipInBlob(dataPath);
  // The damaged bytes are expected to stay: nothing may remove the file.
  if (expected.delete(from)) expected.add(to);
  return what;
}

function putOlder({ older }: Seed, dataPath: string): string {
  for (const name of CATALOG_FILES) cpSync(join(older, name), join(dataPath, name));
  return "an older catalog";
}

/** Expected contents that are neither in the store nor in the quarantine. */
function missing(dataPath: string, expected: ReadonlySet<string>): string[] {
  const found = new Set(
    ["blobs", "quarantine"]
      .map((name) => join(dataPath, name))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: "utf8" })
          .map((name) => join(folder, name))
          .filter((path) => statSync(path).isFile()),
      )
      .map((path) => digestOf(readFileSync(path))),
  );
  return [...expected]
    .filter((digest) => !found.has(digest))
    .map((digest) => `The bytes with digest ${digest} are gone.`);
}
