import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../test/harness.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { digestOf } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { ageLeases } from "./age-leases.ts";
import { createCommandKiller } from "./command.ts";
import { createKillCounter, type KillCounter } from "./kill-counter.ts";
import { seed } from "./seed.ts";

/** Kills exports and imports of one tree. */
export async function exportsAndImports(folder: string, scale: Scale): Promise<Row[]> {
  const ofExport = createKillCounter("kill -9 of an export");
  const ofImport = createKillCounter("kill -9 of an import");
  const server = await startServer(join(folder, "tree"));
  try {
    await seed(server);
    const { files, folders } = await readInventory(server);
    const wanted = new Map([...files].map(([key, { digest }]) => [key, digest]));
    for (const key of folders) wanted.set(key, "folder");
    const killExport = createCommandKiller();
    const killImport = createCommandKiller();
    const tries = scale.tries(25, 1);
    for (let n = 0; n < tries; n += 1) {
      const path = join(folder, `exported-${n}`);
      const exported = await killExport(
        server.dataPath,
        ["export", path],
        () => namesIn(path).length > 0,
        () => expectPart(treeOf(path), wanted, ofExport.lost),
      );
      ofExport.countTry(exported.wasKilled);
      ofExport.expectSuccess(exported.ended);
      expectSame(treeOf(path), wanted, ofExport);

      const dataPath = join(folder, `imported-${n}`);
      // With and without a running server. Only a server creates the instance.
      const first = await startServer(dataPath);
      const running = n % 2 === 0 ? first : undefined;
      if (running === undefined) await first.stop();
      const imported = await killImport(
        dataPath,
        ["import", path],
        () => namesIn(join(dataPath, "blobs")).length > 0,
        () => ageLeases(dataPath),
      );
      ofImport.countTry(imported.wasKilled);
      ofImport.expectSuccess(imported.ended);
      const target = running ?? (await startServer(dataPath));
      const seen = await readInventory(target);
      const found = new Map([...seen.files].map(([key, { digest }]) => [key, digest]));
      for (const key of seen.folders) found.set(key, "folder");
      expectSame(found, wanted, ofImport);
      ofImport.leftovers.push(...(await waitForNoLeftovers(dataPath)));
      await target.stop();
      removeFolder(path);
      removeFolder(dataPath);
      scale.progress(`${n + 1} of ${tries} exported and imported`);
    }
  } finally {
    await server.kill();
  }
  return [ofExport.row(), ofImport.row()];
}

const namesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);

type Tree = ReadonlyMap<string, string>;

/** Digests of files by path; "folder" for folders. Without unfinished files. */
function treeOf(root: string): Tree {
  const tree = new Map<string, string>();
  if (!existsSync(root)) return tree;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(root.length + 1);
    if (key.startsWith(".holdall-unfinished")) continue;
    tree.set(key, entry.isFile() ? digestOf(readFileSync(path)) : "folder");
  }
  return tree;
}

/** Every file that exists must be complete. */
function expectPart(found: Tree, wanted: Tree, lost: string[]): void {
  for (const [key, digest] of found) {
    if (wanted.get(key) !== digest) lost.push(`${key} was incomplete.`);
  }
}

function expectSame(found: Tree, wanted: Tree, counter: KillCounter): void {
  for (const [key, digest] of wanted) {
    if (found.get(key) !== digest) counter.lost.push(`${key} is missing or has changed.`);
  }
  for (const key of found.keys()) {
    if (!wanted.has(key)) counter.problems.push(`${key} exists unexpectedly.`);
  }
}
