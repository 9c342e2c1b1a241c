import { existsSync } from "node:fs";
import {
  mkdir,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  statfs,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { blockOf } from "../domain/blob-id.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { BlobId } from "../domain/records.ts";
import { fileBlob } from "../runtime/files.ts";
import type { Rendering } from "./rendering.ts";
import {
  listVariants,
  openVariant,
  SEAL_BYTES,
  sealVariant,
  type VariantSource,
  variantFolder,
  variantPath,
  variantPrefix,
} from "./variant-file.ts";

/**
 * Keeps variants of images as files below a folder of the data folder, which several processes may
 * share. Nothing is synced: what a power cut destroys is made again. Deleting the folder is safe.
 */
export interface VariantStore {
  /** undefined: there is none. */
  read(source: VariantSource, rendering: Rendering): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keeps a variant, if there is space. Never throws. */
  keep(source: VariantSource, rendering: Rendering, bytes: Uint8Array): Promise<void>;
  /** Removes all variants of these blobs. Never throws. */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Runs `use` with a path for a temporary file of this size, and removes the file. Fault "unavailable":
   * the file would take more than half of the free space.
   */
  withTemporaryFile<T>(bytes: number, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Removes the variants of blobs that are not `inUse`, and temporary files of processes that have
   * ended. Then removes what was not used for the longest time, until there is space again.
   */
  prune(inUse?: (ids: readonly BlobId[]) => Promise<readonly BlobId[]>): Promise<void>;
}

export interface VariantStoreDeps {
  readonly folder: string;
  readonly maxBytes: number;
  /** Processes that may write to the folder at the same time. */
  readonly processes: number;
  /** Free space of the volume that is left to uploads. */
  readonly minFreeSpace: () => number;
  readonly onError: (message: string, cause: unknown) => void;
}

/** The share of the space that may be used after pruning. The processes fill half of the rest. */
const SHARE_AFTER_PRUNING = 0.8;
const TEMPORARY = "tmp-";
/** Older temporary files are of processes that have ended. */
const MAX_TEMPORARY_MS = 3_600_000;
const BATCH = 500;

export function createVariantStore(deps: VariantStoreDeps): VariantStore {
  const { folder, maxBytes, minFreeSpace, onError } = deps;
  /** Each process prunes after it has written this much, so that all together stay below the maximum. */
  const budget = (maxBytes * (1 - SHARE_AFTER_PRUNING)) / 2 / deps.processes;
  let written = 0;
  /** The size of this process's temporary files, including bytes that are not written yet. */
  let temporaryBytes = 0;
  let lastName = 0;
  let pruning: Promise<void> = Promise.resolve();

  const temporaryPath = (): string => {
    lastName += 1;
    return join(folder, `${TEMPORARY}${process.pid}-${lastName}`);
  };

  const report = (cause: unknown): void => onError("Scaled images could not be removed", cause);

  async function freeSpace(): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  }

  const hasSpace = async (): Promise<boolean> => (await freeSpace()) > minFreeSpace();

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = temporaryPath();
    try {
      await writeFile(draft, sealVariant(bytes), { mode: 0o600 });
      await rename(draft, path);
    } catch (cause) {
      await rm(draft, { force: true });
      throw cause;
    }
  }

  async function prune(inUse?: Parameters<VariantStore["prune"]>[0]): Promise<void> {
    if (!existsSync(folder)) return;
    written = 0;
    await removeOldTemporaryFiles();
    let variants = await listVariants(folder);
    const blocks = new Set(variants.map(({ path }) => dirname(path)));
    if (inUse !== undefined) {
      const ids = [...new Set(variants.map(({ id }) => id))];
      const used = new Set<BlobId>();
      for (let at = 0; at < ids.length; at += BATCH) {
        for (const id of await inUse(ids.slice(at, at + BATCH))) used.add(id);
      }
      for (const { id, path } of variants)
        if (!used.has(id)) await unlink(path).catch(ignoreAbsent);
      variants = variants.filter(({ id }) => used.has(id));
    }
    let total = variants.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > maxBytes * SHARE_AFTER_PRUNING) {
      variants.sort((one, other) => one.usedAt - other.usedAt);
      for (const { path, bytes } of variants) {
        if (total <= maxBytes * SHARE_AFTER_PRUNING) break;
        await unlink(path).catch(ignoreAbsent);
        total -= bytes;
      }
    }
    for (const block of blocks) {
      // Fails if it is not empty.
      await rmdir(block).catch(() => {});
    }
  }

  async function removeOldTemporaryFiles(): Promise<void> {
    for await (const { name } of await opendir(folder)) {
      if (!name.startsWith(TEMPORARY)) continue;
      const path = join(folder, name);
      const { lastModified } = fileBlob(path);
      if (Date.now() - lastModified > MAX_TEMPORARY_MS) await rm(path, { force: true });
    }
  }

  return {
    async read(source, rendering) {
      const path = join(folder, variantPath(source, rendering));
      try {
        const bytes = openVariant(new Uint8Array(await readFile(path)));
        if (bytes === undefined) return undefined;
        const now = new Date();
        await utimes(path, now, now);
        return bytes;
      } catch {
        // Absent, pruned meanwhile or unreadable: it is made again.
        return undefined;
      }
    },
    async keep(source, rendering, bytes) {
      try {
        const path = join(folder, variantPath(source, rendering));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (bytes.length > budget || !(await hasSpace())) return;
        await pruning;
        // Pruning may just have removed the folder of the block.
        await write(path, bytes).catch(() => write(path, bytes));
        written += bytes.length + SEAL_BYTES;
        if (written > budget) pruning = pruning.then(() => prune().catch(report));
      } catch (cause) {
        onError("A scaled image could not be kept", cause);
      }
    },
    async remove(ids) {
      if (!existsSync(folder)) return;
      for (const [block, blobs] of Map.groupBy(ids, blockOf)) {
        const path = join(folder, variantFolder(block));
        const names = await readdir(path).catch(() => []);
        if (names.length === 0) continue;
        const prefixes = new Set(blobs.map(variantPrefix));
        for (const name of names) {
          if (!prefixes.has(name.slice(0, 3))) continue;
          await unlink(join(path, name)).catch((cause: NodeJS.ErrnoException) => {
            if (cause.code !== "ENOENT") report(cause);
          });
        }
      }
    },
    async withTemporaryFile(bytes, use) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const free = await freeSpace();
      if (bytes > (free - temporaryBytes) / 2) throw volumeFull();
      const path = temporaryPath();
      temporaryBytes += bytes;
      try {
        return await use(path);
      } finally {
        temporaryBytes -= bytes;
        await rm(path, { force: true });
      }
    },
    prune(inUse) {
      const done = pruning.then(() => prune(inUse));
      pruning = done.catch(() => {});
      return done;
    },
  };
}

const RETRY_AFTER_SECONDS = 60;

const volumeFull = (): Fault =>
  new Fault("unavailable", "The server has too little free space to scale this image now.", {
    retryAfter: RETRY_AFTER_SECONDS,
  });

function ignoreAbsent(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "ENOENT") throw cause;
}
