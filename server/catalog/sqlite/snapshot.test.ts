import { describe, expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Snapshot } from "../port/catalog.ts";
import { createUploader, everything } from "../suite/catalog.fixture.ts";
import { openSnapshot, takeSnapshot } from "./snapshots.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

async function keysOf(snapshot: Snapshot): Promise<string[]> {
  const batches = await Array.fromAsync(snapshot.listFiles(COMMAND_EVERYWHERE, {}, everything));
  return batches.flat().map(({ key }) => key);
}

describe("a snapshot", () => {
  test("has the catalog as of one moment", async () => {
    const folder = testFolders.folder();
    const [path, to] = [join(folder, "catalog.sqlite"), join(folder, "it's a copy")];
    const catalog = await openSqliteCatalog({ path, exclusive: true });
    const uploader = createUploader(catalog);
    const a = await uploader.addOne("a", { size: 5 });
    const b = await uploader.addOne("b", { size: 6, folder: "sub" });
    writeFileSync(to, "something else");
    await takeSnapshot(path, to);
    await uploader.addOne("c");
    await catalog.removeFiles(COMMAND_EVERYWHERE, [a.id]);

    const snapshot = await openSnapshot(to);
    expect(await keysOf(snapshot)).toEqual(["a", "sub/b"]);
    expect(await snapshot.total()).toEqual({ files: 2, bytes: 11 });
    expect(await snapshot.fileById(COMMAND_EVERYWHERE, b.id)).toEqual(b);
    const root = await snapshot.folderByKey(COMMAND_EVERYWHERE, ROOT_KEY);
    expect(root).toEqual(await catalog.folderByKey(COMMAND_EVERYWHERE, ROOT_KEY));
    const folders = await Array.fromAsync(snapshot.listFolders(COMMAND_EVERYWHERE, root?.id ?? ""));
    expect(folders.flat().map(({ key }) => `${key}`)).toEqual(["sub"]);
    expect(await snapshot.blobsAfter(-1, 10)).toHaveLength(2);
    snapshot.close();
    await catalog.close();
    // One file, readable by its owner only.
    const copies = readdirSync(folder).filter((name) => name.startsWith("it's"));
    expect(copies).toEqual(["it's a copy"]);
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  test("of an empty catalog has a total of zero", async () => {
    const folder = testFolders.folder();
    const [path, to] = [join(folder, "catalog.sqlite"), join(folder, "copy")];
    await (await openSqliteCatalog({ path, exclusive: false })).close();
    await takeSnapshot(path, to);
    const snapshot = await openSnapshot(to);
    expect(await snapshot.total()).toEqual({ files: 0, bytes: 0 });
    snapshot.close();
  });

  test("opens as a catalog, without leases, holds and pending deletions", async () => {
    const folder = testFolders.folder();
    const [path, to] = [join(folder, "catalog.sqlite"), join(folder, "copy")];
    const catalog = await openSqliteCatalog({ path, exclusive: true });
    const [a] = await createUploader(catalog).add(["a", "b"]);
    await catalog.startBackupHold("backup");
    await catalog.removeFiles(COMMAND_EVERYWHERE, [a?.id ?? ""]);
    await takeSnapshot(path, to);
    await catalog.close();
    const copy = await openSqliteCatalog({ path: to, exclusive: true });
    expect(await copy.hasBackupHold()).toBe(false);
    expect(await copy.releaseExpiredLeases()).toEqual([]);
    expect(await copy.condemnedBlobs(10)).toEqual([]);
    await createUploader(copy).addOne("a");
    await copy.close();
  });

  test("rejects with the reason when it fails", async () => {
    const folder = testFolders.folder();
    writeFileSync(join(folder, "junk"), "no catalog, but text that goes on for a while".repeat(99));
    const taken = takeSnapshot(join(folder, "junk"), join(folder, "copy"));
    expect(await taken.catch((error: Error) => error.message)).toContain("not a database");
  });
});
