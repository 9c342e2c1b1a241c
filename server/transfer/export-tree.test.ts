import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "../rules/name.ts";
import { openTransferBed, type TransferBed } from "./bed.fixture.ts";
import { openUnfinished } from "./export-file.ts";
import { exportTree } from "./export-tree.ts";

let bed: TransferBed;
beforeEach(async () => {
  bed = await openTransferBed();
});
afterEach(() => bed.end());

test("an export replaces nothing that comes to its place before its bytes are synced", async () => {
  for (const name of ["a", "b", "c"]) await bed.put(name, `content of ${name}`);
  const path = join(bed.folder, "export");
  mkdirSync(path);
  const unfinished = await openUnfinished(path);
  const snapshot = await bed.snapshot();
  const done = await exportTree({
    ...{ snapshot, blobs: bed.blobs, folder: parseKey(""), path, unfinished, ...bed.watched },
    // As a disk does that takes `B` for `b`, when both are of one lot.
    syncVolume: async () => writeFileSync(join(path, "b"), "somebody else's"),
  });
  snapshot.close();
  expect(done).toMatchObject({ written: { files: 2 }, alreadyThere: { files: 0 }, leftOut: 1 });
  expect(bed.problems).toEqual(["b: something else is there already, and was left alone"]);
  expect(readdirSync(path).sort()).toEqual(["a", "b", "c"]);
  expect(readFileSync(join(path, "b"), "utf8")).toBe("somebody else's");
  expect(readFileSync(join(path, "c"), "utf8")).toBe("content of c");
});
