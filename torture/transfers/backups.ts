import { existsSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../test/harness.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { findLeftovers } from "../leftovers.ts";
import { readInventory } from "../read-inventory.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { ageLeases } from "./age-leases.ts";
import { type Churn, startChurn } from "./churn.ts";
import { command, createCommandKiller, type Ended } from "./command.ts";
import { createKillCounter, type KillCounter } from "./kill-counter.ts";
import { SEEDED, seed } from "./seed.ts";

const WRITERS = 8;

/** Kills backups of a server under load, and restores of them. */
export async function backups(folder: string, scale: Scale): Promise<Row[]> {
  const ofBackup = createKillCounter("kill -9 of a backup under 8 writers");
  const ofRestore = createKillCounter("kill -9 of a restore");
  const server = await startServer(join(folder, "data"));
  const churn = startChurn(server, WRITERS, (problem) => ofBackup.problems.push(problem));
  try {
    await seed(server);
    const killBackup = createCommandKiller();
    const killRestore = createCommandKiller();
    const tries = scale.tries(25, 1);
    for (let n = 0; n < tries; n += 1) {
      // Every other backup is incremental.
      const path = join(folder, `backup-${n - (n % 2)}`);
      const { ended, wasKilled } = await killBackup(
        server.dataPath,
        ["backup", path],
        () => isFilling(path),
        () => expectOldBackup(path, ofBackup.lost),
      );
      ofBackup.countTry(wasKilled);
      ofBackup.expectSuccess(ended);
      ofBackup.leftovers.push(...findLeftovers(path));

      const restored = join(folder, `restored-${n}`);
      const restore = await killRestore(
        restored,
        ["restore", path],
        () => isFilling(restored),
        () => expectNotServed(restored, ofRestore.problems),
      );
      ofRestore.countTry(restore.wasKilled);
      ofRestore.expectSuccess(restore.ended);
      await expectConsistentSnapshot(restored, churn, ended, ofRestore);
      removeFolder(restored);
      scale.progress(`${n + 1} of ${tries} backed up and restored`);
    }
  } finally {
    await churn.stop();
    ofBackup.leftovers.push(...(await leftoversOfServer(server)));
    await server.kill();
  }
  return [ofBackup.row(), ofRestore.row()];
}

/** Whether blobs are being copied into a data folder. */
const isFilling = (path: string): boolean => existsSync(join(path, "blobs", "unfinished"));

async function expectNotServed(restored: string, problems: string[]): Promise<void> {
  if (existsSync(join(restored, "catalog.sqlite"))) return;
  const { output } = await command(restored, ["serve"], { hasBegun: () => true, after: 5000 });
  if (!output.includes(" holdall restore PATH` again")) {
    problems.push(`A half-restored folder was served: ${output}`);
  }
}

/** While a new backup is unfinished, the previous one must be complete. */
function expectOldBackup(path: string, lost: string[]): void {
  if (!existsSync(join(path, "catalog.sqlite"))) return;
  lost.push(...findLeftovers(path).filter((line) => line.startsWith("A record's blob")));
}

/** Leftovers after the next sweep of the server. */
async function leftoversOfServer(server: ServerProcess): Promise<readonly string[]> {
  // The sweep runs every minute and at the start.
  await server.stop();
  ageLeases(server.dataPath);
  const restore = await startServer(server.dataPath);
  const leftovers = await waitForNoLeftovers(restore.dataPath);
  await restore.stop();
  return leftovers;
}

/** Checks that the restored instance has the state of one moment during the backup. */
async function expectConsistentSnapshot(
  restored: string,
  churn: Churn,
  { started, ended }: Ended,
  counter: KillCounter,
): Promise<void> {
  const server = await startServer(restored);
  const { files } = await readInventory(server);
  const seeded = [...files.keys()].filter((key) => key.startsWith("seed/"));
  if (seeded.length !== SEEDED) counter.lost.push(`${seeded.length} of ${SEEDED} seeded files.`);
  for (const [key, { digest, stored, deleting, deleted }] of churn.files) {
    const found = files.get(key);
    const mustBe = (stored ?? Infinity) < started && (deleting ?? Infinity) > ended;
    const mustNotBe = (deleted ?? Infinity) < started;
    if (mustBe && found === undefined) counter.lost.push(`${key} was acknowledged and is missing.`);
    if (mustNotBe && found !== undefined) counter.problems.push(`${key} came back.`);
    if (found !== undefined && found.digest !== digest) counter.lost.push(`${key} has changed.`);
  }
  for (const key of files.keys()) {
    if (!key.startsWith("seed/") && !churn.files.has(key)) {
      counter.problems.push(`${key} was never stored.`);
    }
  }
  counter.leftovers.push(...(await waitForNoLeftovers(restored)));
  await server.stop();
}
