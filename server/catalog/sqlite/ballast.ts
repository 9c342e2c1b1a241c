import { statSync } from "node:fs";
import { open, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../rules/fault.ts";
import type { CatalogEvent } from "./catalog-event.ts";

/**
 * Room on the catalog's volume, held by a file that serves no other end, so that on a full volume
 * there is room for the changes that make room: a deletion has to be written down too.
 */
export interface Ballast {
  /** Bytes that are given up and will be taken back: nothing may be stored in them meanwhile. */
  owed(): number;
  /** Gives the room up, if it has not been already. Rejects with the system's error. */
  giveUp(): Promise<void>;
  /** Takes the room back where there is enough of it, as is also done every second. Whether it is held. */
  restore(): Promise<boolean>;
  /** Ends the trying, with a last one that takes all there is, for the next start to find. */
  close(): Promise<void>;
}

/** Enough for a batch of 500 deletions that touch every part of a catalog of a million files. */
const MOST = 32 * 1024 * 1024;
/** Of a small volume no more than the eighth part. */
const SHARE = 8;
/** Left free after the room was taken back, so that the next little thing does not need it again. */
const MARGIN = 1024 * 1024;
const RETRY_MS = 1000;
const CHUNK = 1024 * 1024;

/** What may be over in a moment, and is no reason to go on without. */
const PASSING = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EINTR"]);

/**
 * The ballast in the file `path`, which is filled in the background where it is missing, cut short
 * or was given up before. Where it cannot be had at all (files may not become so large, say), the
 * catalog goes without.
 */
export async function openBallast(
  path: string,
  log: (event: CatalogEvent) => void,
): Promise<Ballast> {
  const size = await sizeFor(path);
  let held = isWhole(path, size);
  let told = false;
  let last: Promise<unknown> = Promise.resolve();
  let restoring: Promise<boolean> | undefined;
  let timer: Timer | undefined;

  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const run = last.then(step);
    last = run.catch(() => {});
    return run;
  }

  function setHeld(now: boolean): void {
    held = now;
    if (now) {
      clearInterval(timer);
      timer = undefined;
      if (told) log({ event: "disk has room" });
    } else {
      if (!told) log({ event: "disk full" });
      timer ??= setInterval(() => void restore(), RETRY_MS).unref();
    }
    told = !now;
  }

  async function take(margin: number): Promise<boolean> {
    if (held) return true;
    try {
      const filled = await fill(path, size, margin);
      setHeld(filled);
    } catch (cause) {
      if (PASSING.has(codeOf(cause))) setHeld(false);
      else {
        // Its absence tells others that there is none to wait for.
        await unlink(path).catch(() => {});
        setHeld(true);
      }
    }
    return held;
  }

  function restore(): Promise<boolean> {
    if (held) return Promise.resolve(true);
    restoring ??= inTurn(() => take(MARGIN)).finally(() => {
      restoring = undefined;
    });
    return restoring;
  }

  if (!held) void restore();

  return {
    owed: () => (held ? 0 : size),
    giveUp: () =>
      inTurn(async () => {
        if (!held) return;
        await empty(path);
        setHeld(false);
      }),
    restore,
    async close() {
      await inTurn(() => take(0));
      clearInterval(timer);
    },
  };
}

/** What `owed` of a ballast is that another process keeps: as much as the file shows. */
export async function watchBallast(path: string): Promise<() => number> {
  const size = await sizeFor(path);
  return () => {
    // Where it is no file, its keeper goes without.
    const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return isThere && !isWhole(path, size) ? size : 0;
  };
}

async function sizeFor(path: string): Promise<number> {
  const { blocks, bsize } = await statfs(dirname(path));
  return Math.min(MOST, Math.floor((blocks * bsize) / SHARE));
}

/** Tries again with the ballast given up what failed for want of room, once. */
export async function withRoom<T>(ballast: Ballast, work: () => Promise<T>): Promise<T> {
  const wasHeld = ballast.owed() === 0;
  try {
    return await work();
  } catch (cause) {
    if (!wasHeld || !(cause instanceof Fault) || cause.kind !== "no_space") throw cause;
    await ballast.giveUp().catch(() => {
      throw cause;
    });
    return await work();
  }
}

/** Whether the file takes up all of its room, which one with holes in it does not. */
function isWhole(path: string, size: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.size >= size && found.blocks * 512 >= size;
}

/** false: there is not enough room. Error: the system's. */
async function fill(path: string, size: number, margin: number): Promise<boolean> {
  await empty(path);
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < size + margin) return false;
  try {
    const file = await open(path, "r+");
    try {
      // Noise, since some file systems would store anything plainer in less room.
      const noise = Buffer.alloc(Math.min(size, CHUNK));
      for (let start = 0; start < noise.length; start += 65536) {
        crypto.getRandomValues(noise.subarray(start, start + 65536));
      }
      for (let done = 0; done < size; done += noise.length) await file.writeFile(noise);
      // Only now has the room been taken for good, where blocks are chosen late.
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

/** Emptied rather than removed: it needs no new entry in the folder later. */
async function empty(path: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.truncate(0);
    // Some file systems hand room out again only once it is safe that it was given up.
    await file.sync();
  } finally {
    await file.close();
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
