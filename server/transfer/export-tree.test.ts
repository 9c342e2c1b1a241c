import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "../rules/name.ts";
import { openUnfinished } from "./export-file.ts";
import { exportTree } from "./export-tree.ts";
import { openTransferFixture, type TransferFixture } from "./transfer.fixture.ts";

let fixture: TransferFixture;
beforeEach(async () => {
  fixture = await openTransferFixture();
});
afterEach(() => fixture.end());

test("an export replaces nothing that comes to its place before its bytes are synced", async () => {
  for (const name of ["a", "b", "c"]) await fixture.put(name, `content of ${name}`);
  const path = join(fixture.folder, "export");
  mkdirSync(path);
  const unfinished = await openUnfinished(path);
  const snapshot = await fixture.snapshot();
  const done = await exportTree({
    ...{
      snapshot,
      blobs: fixture.blobs,
      folder: parseKey(""),
      path,
      unfinished,
      ...fixture.watched,
    },
    // As a disk does that takes `B` for `b`, when both are of one lot.
    syncVolume: async () => writeFileSync(join(path, "b"), "somebody else's"),
  });
  snapshot.close();
  expect(done).toMatchObject({ written: { files: 2 }, alreadyThere: { files: 0 }, leftOut: 1 });
  expect(fixture.problems).toEqual(["b: something else is there already, and was left alone"]);
  expect(readdirSync(path).sort()).toEqual(["a", "b", "c"]);
  expect(readFileSync(join(path, "b"), "utf8")).toBe("somebody else's");
  expect(readFileSync(join(path, "c"), "utf8")).toBe("content of c");
});
