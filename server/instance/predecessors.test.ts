import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { dataFolderAt } from "../fs/data-folder-layout.ts";
import { noteOwner, releasePredecessors } from "./predecessors.ts";

test("a start ends the claims of every process that used the folder, once", async () => {
  const path = temporaryFolder();
  const folder = dataFolderAt(path);
  const released: string[] = [];
  const start = () =>
    releasePredecessors(folder, { releaseLeasesOf: async (owner) => void released.push(owner) });
  await start();
  noteOwner(folder, "one");
  noteOwner(folder, "two");
  appendFileSync(join(path, "owners"), "thr");
  await start();
  expect(released).toEqual(["one", "two", "thr"]);
  await start();
  expect(released).toHaveLength(3);
  removeFolder(path);
});
