import { statSync } from "node:fs";
import { open, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../domain/faults/fault.ts";
import { changes } from "../changes.ts";
import type { CatalogEvent } from "../driver.ts";
import type { Writer } from "../engine/engine.ts";
import { noSpace } from "./sqlite-fault.ts";

/**
 * Reserved space on the catalog's volume: a file whose content means nothing. It is released when the
 * volume is full, so that changes that free space still succeed: a deletion has to be written too.
 */
export interface DiskReserve {
  /** Bytes that were released and will be taken back: nothing else may be stored in them. */
  missing(): number;
  /** Idempotent. Rejects with the system's error. */
  release(): Promise<void>;
  /**
   * Takes the space back if there is enough, which is also tried every second. Returns whether the
   * reserve is complete.
   */
  restore(): Promise<boolean>;
  /** Stops trying, after a last attempt that takes even the last free bytes, for the next start. */
  close(): Promise<void>;
}

/** Enough for a batch of 500 deletions that touch every part of a catalog of a million files. */
const MAX_BYTES = 32 * 1024 * 1024;
/** At most an eighth of a small volume. */
const MAX_SHARE = 1 / 8;
/** Left free when the space is taken back, so that the next small write does not need it again. */
const MARGIN = 1024 * 1024;
const RETRY_MS = 1000;
const CHUNK = 1024 * 1024;

/** Errors that may pass, and are no reason to go without a reserve. */
const TEMPORARY = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EINTR"]);

/** The reserve of the catalog in this file. On the disk it is named `ballast`. */
export const reserveOf = (catalogPath: string): string => join(dirname(catalogPath), "ballast");

/**
 * The reserve in the file `path`. A missing or incomplete file is filled in the background. Where
 * that is impossible (files may not become so large, for example), the catalog goes without.
 */
export async function openDiskReserve(
  path: string,
  log: (event: CatalogEvent) => void,
): Promise<DiskReserve> {
  const size = await sizeFor(path);
  let isHeld = isComplete(path, size);
  let isLogged = false;
  let last: Promise<unknown> = Promise.resolve();
  let restoring: Promise<boolean> | undefined;
  let timer: Timer | undefined;

  function oneAtATime<T>(step: () => Promise<T>): Promise<T> {
    const run = last.then(step);
    last = run.catch(() => {});
    return run;
  }

  function setHeld(now: boolean): void {
    isHeld = now;
    if (now) {
      clearInterval(timer);
      timer = undefined;
      if (isLogged) log({ event: "disk has room" });
    } else {
      if (!isLogged) log({ event: "disk full" });
      timer ??= setInterval(() => void restore(), RETRY_MS).unref();
    }
    isLogged = !now;
  }

  async function take(margin: number): Promise<boolean> {
    if (isHeld) return true;
    try {
      setHeld(await fill(path, size, margin));
    } catch (cause) {
      if (TEMPORARY.has(codeOf(cause))) setHeld(false);
      else {
        // Without the file, other processes know not to wait for a reserve.
        await unlink(path).catch(() => {});
        setHeld(true);
      }
    }
    return isHeld;
  }

  function restore(): Promise<boolean> {
    if (isHeld) return Promise.resolve(true);
    restoring ??= oneAtATime(() => take(MARGIN)).finally(() => {
      restoring = undefined;
    });
    return restoring;
  }

  if (!isHeld) void restore();

  return {
    missing: () => (isHeld ? 0 : size),
    release: () =>
      oneAtATime(async () => {
        if (!isHeld) return;
        await empty(path);
        setHeld(false);
      }),
    restore,
    async close() {
      await oneAtATime(() => take(0));
      clearInterval(timer);
    },
  };
}

/** `missing` of a reserve that another process keeps, read from the file. */
export async function watchDiskReserve(path: string): Promise<DiskReserve["missing"]> {
  const size = await sizeFor(path);
  return () => {
    // The catalog can do without the file.
    const exists = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return exists && !isComplete(path, size) ? size : 0;
  };
}

/** Runs the work; after fault "no_space" it releases the reserve and runs it once more. */
export async function retryWithReserve<T>(
  reserve: DiskReserve,
  work: () => Promise<T>,
): Promise<T> {
  const wasHeld = reserve.missing() === 0;
  try {
    return await work();
  } catch (cause) {
    if (!wasHeld || !(cause instanceof Fault) || cause.kind !== "no_space") throw cause;
    await reserve.release().catch(() => {
      throw cause;
    });
    return await work();
  }
}

/**
 * A writer whose changes that free space, and the few that keep the service usable, succeed on a
 * full volume too. While the reserve is released, changes that store more are refused, so that they
 * cannot use it up.
 */
export function withDiskReserve(writer: Writer, reserve: DiskReserve): Writer {
  return {
    async change(name, input, caller) {
      const change = () => writer.change(name, input, caller);
      if (!changes[name].grows) return retryWithReserve(reserve, change);
      if (reserve.missing() > 0 && !(await reserve.restore())) throw noSpace();
      return change();
    },
    async close() {
      await writer.close();
      await reserve.close();
    },
  };
}

async function sizeFor(path: string): Promise<number> {
  const { blocks, bsize } = await statfs(dirname(path));
  return Math.min(MAX_BYTES, Math.floor(blocks * bsize * MAX_SHARE));
}

/** Whether the file takes up its whole size on the disk, which a sparse file does not. */
function isComplete(path: string, size: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.size >= size && found.blocks * 512 >= size;
}

/** false: there is not enough space. Error: the system's. */
async function fill(path: string, size: number, margin: number): Promise<boolean> {
  await empty(path);
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < size + margin) return false;
  try {
    const file = await open(path, "r+");
    try {
      // Random bytes: some file systems store anything else in less space.
      const noise = Buffer.alloc(Math.min(size, CHUNK));
      for (let start = 0; start < noise.length; start += 65536) {
        crypto.getRandomValues(noise.subarray(start, start + 65536));
      }
      for (let done = 0; done < size; done += noise.length) await file.writeFile(noise);
      // File systems with delayed allocation take the space only now.
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    await empty(path);
    throw cause;
  }
  return true;
}

/** Truncates instead of removing: no new directory entry is needed later. */
async function empty(path: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.truncate(0);
    // Some file systems reuse space only once its release is durable.
    await file.sync();
  } finally {
    await file.close();
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
