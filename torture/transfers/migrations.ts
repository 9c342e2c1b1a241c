import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../test/harness.ts";
import { leftovers } from "../leftovers.ts";
import { see } from "../see.ts";
import { startVictim } from "../server.ts";
import type { Row, Scale } from "../trial.ts";
import { command, createKiller } from "./command.ts";
import { SEEDED, seed } from "./seed.ts";
import { createTally, type Tally } from "./tally.ts";

/** Migrations of a stopped instance to another folder, killed anywhere. */
export async function migrations(folder: string, scale: Scale): Promise<Row[]> {
  const tally = createTally("kill -9 of a migration");
  const source = join(folder, "moved-from");
  const server = await startVictim(source);
  await seed(server);
  const before = (await see(server)).files;
  if (before.size !== SEEDED) tally.problems.push(`${before.size} of ${SEEDED} were seeded.`);
  await server.stop();
  const killMigration = createKiller();
  const tries = scale.tries(12, 1);
  for (let n = 0; n < tries; n += 1) {
    const target = join(folder, `moved-to-${n}`);
    const file = `${target}.env`;
    writeFileSync(file, `DATA_PATH="${target}"\n`);
    const { ended, wasKilled } = await killMigration(
      source,
      ["migrate", "--to", file],
      () => existsSync(join(target, "blobs")),
      () => expectNotServed(target, tally.problems),
    );
    tally.tried(wasKilled);
    tally.expectEnd(ended);
    await expectSame(target, before, tally);
    removeFolder(target);
    scale.progress(`${n + 1} of ${tries} migrated`);
  }
  tally.left.push(...leftovers(source));
  return [tally.row()];
}

/** A kill that came after the last step has left nothing to do. */
async function expectNotServed(target: string, problems: string[]): Promise<void> {
  if (existsSync(join(target, "catalog.sqlite"))) return;
  const { output } = await command(target, ["serve"], { hasBegun: () => true, after: 5000 });
  if (!output.includes("run holdall migrate again")) {
    problems.push(`A half-filled folder was served: ${output}`);
  }
}

type Files = Awaited<ReturnType<typeof see>>["files"];

async function expectSame(target: string, before: Files, tally: Tally): Promise<void> {
  const server = await startVictim(target);
  const { files } = await see(server);
  for (const [key, { digest }] of before) {
    if (files.get(key)?.digest !== digest) tally.lost.push(`${key} is not what it was.`);
  }
  if (files.size !== before.size) tally.problems.push(`${files.size} of ${before.size} files.`);
  await server.stop();
  tally.left.push(...leftovers(target));
}
