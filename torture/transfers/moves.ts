import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../test/harness.ts";
import { findLeftovers } from "../leftovers.ts";
import { readInventory } from "../read-inventory.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { command, createCommandKiller } from "./command.ts";
import { createKillCounter, type KillCounter } from "./kill-counter.ts";
import { SEEDED, seed } from "./seed.ts";

/** Kills moves (`holdall migrate`) of a stopped instance to another folder. */
export async function moves(folder: string, scale: Scale): Promise<Row[]> {
  const counter = createKillCounter("kill -9 of a move");
  const source = join(folder, "moved-from");
  const server = await startServer(source);
  await seed(server);
  const before = (await readInventory(server)).files;
  if (before.size !== SEEDED) counter.problems.push(`${before.size} of ${SEEDED} seeded files.`);
  await server.stop();
  const killMove = createCommandKiller();
  const tries = scale.tries(12, 1);
  for (let n = 0; n < tries; n += 1) {
    const target = join(folder, `moved-to-${n}`);
    const file = `${target}.env`;
    writeFileSync(file, `DATA_PATH="${target}"\n`);
    const { ended, wasKilled } = await killMove(
      source,
      ["migrate", "--to", file],
      () => existsSync(join(target, "blobs")),
      () => expectNotServed(target, counter.problems),
    );
    counter.countTry(wasKilled);
    counter.expectSuccess(ended);
    await expectSame(target, before, counter);
    removeFolder(target);
    scale.progress(`${n + 1} of ${tries} moved`);
  }
  counter.leftovers.push(...findLeftovers(source));
  return [counter.row()];
}

/** A kill after the last step leaves a complete instance, which may be served. */
async function expectNotServed(target: string, problems: string[]): Promise<void> {
  if (existsSync(join(target, "catalog.sqlite"))) return;
  const { output } = await command(target, ["serve"], { hasBegun: () => true, after: 5000 });
  if (!output.includes("run `holdall migrate --to FILE` on the old instance again")) {
    problems.push(`A half-filled folder was served: ${output}`);
  }
}

type Files = Awaited<ReturnType<typeof readInventory>>["files"];

async function expectSame(target: string, before: Files, counter: KillCounter): Promise<void> {
  const server = await startServer(target);
  const { files } = await readInventory(server);
  for (const [key, { digest }] of before) {
    if (files.get(key)?.digest !== digest) counter.lost.push(`${key} is missing or has changed.`);
  }
  if (files.size !== before.size) counter.problems.push(`${files.size} of ${before.size} files.`);
  await server.stop();
  counter.leftovers.push(...findLeftovers(target));
}
