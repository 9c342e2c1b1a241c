import { readdirSync } from "node:fs";
import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { removeFolder, run, temporaryFolder } from "../../test/harness.ts";
import { checkNameRoundTrip } from "../../test/hostile/check-name-round-trip.ts";
import { hostileName, storedName } from "../../test/hostile/hostile-name.ts";
import { createSeededRandom } from "../../test/hostile/seeded-random.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Hostile file names are rejected, or come back unchanged from every endpoint and the export. */
export const names: Trial = { name: "names", run: async (scale) => [await fuzzNames(scale)] };

const EXPORT_TIMEOUT_MS = 300_000;

async function fuzzNames(scale: Scale): Promise<Row> {
  const tries = scale.tries(5_000, 500);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const accepted = new Set<string>();
  const problems: string[] = [];
  let rejected = 0;
  let seed = 1_000_000;
  const newName = (): string => {
    for (;;) {
      seed += 1;
      const name = hostileName(createSeededRandom(seed));
      const stored = storedName(name);
      if (stored === undefined) return name;
      if (accepted.has(stored)) continue;
      accepted.add(stored);
      return name;
    }
  };
  try {
    await forEachConcurrently(Array(tries).keys(), 4, async (at) => {
      const name = newName();
      const { stored, problem } = await checkNameRoundTrip(server, "names", name);
      if (stored === undefined) rejected += 1;
      if (problem !== "") problems.push(`${JSON.stringify(name)}: ${problem}`);
      if (at % 1_000 === 999) scale.progress(`${at + 1} names`);
    });
    const target = join(folder, "export");
    const { code, stderr } = await run(
      ["export", target],
      { DATA_PATH: server.dataPath },
      EXPORT_TIMEOUT_MS,
    );
    const exported = new Set(readdirSync(join(target, "names")));
    const lost = [...accepted].filter((name) => !exported.has(name));
    if (code !== 0) problems.push(`The export exited with ${code}: ${stderr}`);
    if (server.output().includes("Unexpected server error"))
      problems.push("The server logged an unexpected error.");
    problems.push(...lost.map((name) => `not exported: ${JSON.stringify(name)}`));
    return {
      fault: "hostile names",
      tries,
      lost: lost.length,
      leftovers: exported.size - (accepted.size - lost.length),
      problems: problems.slice(0, 20),
      note: `${accepted.size} unchanged, ${rejected} rejected`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}
