import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { parseName, ROOT_KEY } from "../domain/names/name.ts";
import type { BlobId, FileRecord } from "../domain/records.ts";
import type { LostRecords } from "./lost-records.ts";
import { createSweep, type Sweep } from "./sweep.ts";
import { type BlobIdAllocator, createBlobIdAllocator } from "./upload/blob-id-allocator.ts";

/** An empty catalog and blob store on disk, and access to their files and tables. */
export interface FilesFixture {
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
  /** The file of the catalog. */
  readonly path: string;
  /** The folder with the blobs. */
  readonly blobFolder: string;
  /** The messages that `onError` received. */
  readonly errors: string[];
  readonly onError: (message: string) => void;
  /** Remembers suspicions and the number of moved blobs. */
  readonly lostRecords: LostRecords & { readonly reasons: string[]; readonly moved: number[] };
  /** A sweep of the current catalog and store. */
  createSweep(ledger?: BlobLedger): Sweep;
  createAllocator(): BlobIdAllocator;
  /** All leases, in the order of their blocks. */
  leases(): { block: number; owner: string; heartbeat: number }[];
  /** Changes the digest in a record; null: as if an earlier version had stored the file. */
  setDigest(file: Pick<FileRecord, "id">, sha256: string | null): Promise<void>;
  /** Makes every lease and backup hold older. */
  age(seconds: number): void;
  /** The blobs in the store, in ascending order. */
  stored(): Promise<BlobId[]>;
  /** Stores bytes as an upload does. */
  store(id: BlobId, text?: string): Promise<void>;
  /** Adds files with blob ids from `allocator`. */
  addFiles(allocator: BlobIdAllocator, ids: readonly BlobId[]): Promise<FileRecord[]>;
  /** Opens the same folders again, as the next process does after a crash. */
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

  const reasons: string[] = [];
  const moved: number[] = [];
  const lostRecords = {
    reasons,
    moved,
    quarantine: "lost",
    isSuspected: () => reasons.length > 0,
    suspect: (reason: string) => void reasons.push(reason),
    onMoved: (count: number) => void moved.push(count),
  };

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
    path,
    blobFolder,
    errors,
    onError,
    lostRecords,
    createSweep: (ledger = catalog) => createSweep({ ledger, blobs, lostRecords, onError }),
    createAllocator() {
      const ledger = catalog;
      return createBlobIdAllocator({
        ledger,
        sweepBlock: createSweep({ ledger, blobs, lostRecords, onError }).block,
        owner: crypto.randomUUID(),
        // After `restart`, the allocator belongs to a dead process, which would report nothing.
        onError: (message) => ledger === catalog && onError(message),
      });
    },
    async setDigest({ id }, sha256) {
      inCatalog((database) =>
        database.run("UPDATE files SET sha256 = ? WHERE id = ?", [sha256, id]),
      );
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
      catalog.addFiles(COMMAND_EVERYWHERE, {
        folder: ROOT_KEY,
        files: ids.map((blobId) => ({
          name: parseName(`file ${blobId}`),
          mimeType: "text/plain",
          size: 5,
          blobId,
          checksum: 0,
          sha256: null,
        })),
        defaultVisibility: "public",
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

/** Waits until the condition is true. Throws an Error after 5 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    if (await condition()) return;
    await Bun.sleep(10);
  }
  throw new Error("The condition was not true within 5 seconds.");
}
