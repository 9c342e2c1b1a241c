import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { parseName, ROOT_KEY } from "../rules/name.ts";
import type { BlobId, FileRecord } from "../rules/records.ts";
import { type BlobIdAllocator, createBlobIdAllocator } from "./blob-id-allocator.ts";
import { createSweepBlock } from "./sweep.ts";

/** A catalog and a store on disk, empty, and a look at them from outside. */
export interface FilesFixture {
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
  /** The folder that the store keeps its blobs in. */
  readonly blobFolder: string;
  /** What `onError` heard. */
  readonly errors: string[];
  readonly onError: (message: string) => void;
  createAllocator(): BlobIdAllocator;
  /** The blocks that are leased, to whomever, from the lowest. */
  leases(): { block: number; owner: string; heartbeat: number }[];
  /** Makes every lease and hold that much older. */
  age(seconds: number): void;
  /** The blobs that lie in the store. */
  stored(): Promise<BlobId[]>;
  /** Stores bytes as an upload does. */
  store(id: BlobId, text?: string): Promise<void>;
  /** Makes files of blobs whose ids `allocator` has handed out. */
  addFiles(allocator: BlobIdAllocator, ids: readonly BlobId[]): Promise<FileRecord[]>;
  /** Opens the same folders again as the next process does after this one is dead. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

export async function openFilesFixture(): Promise<FilesFixture> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-files-"));
  const path = join(folder, "catalog.sqlite");
  const blobFolder = join(folder, "blobs");
  const openCatalog = () => openSqliteCatalog({ path, exclusive: true });
  let catalog = await openCatalog();
  let blobs = await createDiskBlobs(blobFolder);
  const errors: string[] = [];
  const onError = (message: string): void => void errors.push(message);

  function inCatalog<T>(work: (database: Database) => T): T {
    const database = new Database(path);
    try {
      database.run("PRAGMA busy_timeout = 5000");
      return work(database);
    } finally {
      database.close();
    }
  }

  return {
    get catalog() {
      return catalog;
    },
    get blobs() {
      return blobs;
    },
    blobFolder,
    errors,
    onError,
    createAllocator() {
      const sweepBlock = createSweepBlock({ ledger: catalog, blobs });
      return createBlobIdAllocator({
        ledger: catalog,
        sweepBlock,
        owner: crypto.randomUUID(),
        onError,
      });
    },
    leases: () =>
      inCatalog((database) =>
        database
          .query<{ block: number; owner: string; heartbeat: number }, []>(
            "SELECT block, owner, heartbeat FROM blob_leases ORDER BY block",
          )
          .all(),
      ),
    age(seconds) {
      inCatalog((database) => {
        for (const table of ["blob_leases", "holds"]) {
          database.run(`UPDATE ${table} SET heartbeat = heartbeat - ?`, [seconds * 1000]);
        }
      });
    },
    async stored() {
      const all = await Array.fromAsync(blobs.listBlocks(), (block) => blobs.listBlock(block));
      return all.flat().sort((a, b) => a - b);
    },
    async store(id, text = "bytes") {
      const writer = await blobs.create(id);
      await writer.write(Buffer.from(text));
      await writer.seal();
    },
    addFiles: (allocator, ids) =>
      catalog.addFiles({
        folder: ROOT_KEY,
        files: ids.map((blobId) => ({
          name: parseName(`file ${blobId}`),
          mimeType: "text/plain",
          size: 5,
          blobId,
          checksum: 0,
        })),
        visibility: "public",
        owner: allocator.owner,
      }),
    async restart() {
      await catalog.close();
      catalog = await openCatalog();
      blobs = await createDiskBlobs(blobFolder);
    },
    async end() {
      await catalog.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits for what happens in the background. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await isSo()) return;
    await Bun.sleep(10);
  }
  throw new Error("It did not come to pass within 5 seconds.");
}
