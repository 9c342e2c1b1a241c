import { closeSync, openSync } from "node:fs";
import { descriptorLimit } from "../../fs/descriptor-limit.ts";
import { isOutOfDescriptors, unlessAbsent } from "./disk-fault.ts";

/**
 * Keeps the files open that were read just now: opening and closing a file takes as long as reading
 * 64 KB.
 */
export interface OpenFiles {
  /**
   * The file at this path, for reading; undefined: absent. Use it at once, before anything else can
   * run. Error: the system's.
   */
  open(path: string): OpenFile | undefined;
  /** To be called once the file is removed or moved, so that its space is free at once. */
  forget(path: string): void;
}

export interface OpenFile {
  readonly descriptor: number;
  /** What a reader has found out; undefined: nothing yet. */
  size: number | undefined;
}

/** The share of this process's descriptors that may stay open: the others are for clients. */
const SHARE = 1 / 8;
const MAX_OPEN = 4096;
/** Where the system does not say. */
const COMMON_LIMIT = 1024;
/**
 * No file stays open for longer than two of these: another process may have moved it away, or
 * removed it and wait for its space.
 */
const TURN_MS = 500;

export function createOpenFiles(limit: number = descriptorLimit() ?? COMMON_LIMIT): OpenFiles {
  const maxOpen = Math.min(MAX_OPEN, Math.floor(limit * SHARE));
  let opened = new Map<string, OpenFile>();
  let openedBefore = new Map<string, OpenFile>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function endTurn(): void {
    for (const { descriptor } of openedBefore.values()) closeSync(descriptor);
    openedBefore = opened;
    opened = new Map();
    if (openedBefore.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function keep(path: string, descriptor: number): OpenFile {
    if (opened.size >= maxOpen / 2) endTurn();
    const file: OpenFile = { descriptor, size: undefined };
    opened.set(path, file);
    timer ??= setInterval(endTurn, TURN_MS).unref();
    return file;
  }

  function openFile(path: string): number | undefined {
    try {
      return openSync(path, "r");
    } catch (error) {
      return unlessAbsent(error);
    }
  }

  function openWithRoom(path: string): number | undefined {
    try {
      return openFile(path);
    } catch (error) {
      if (!isOutOfDescriptors(error)) throw error;
      endTurn();
      endTurn();
      return openFile(path);
    }
  }

  return {
    open(path) {
      const known = opened.get(path) ?? openedBefore.get(path);
      if (known !== undefined) return known;
      const descriptor = openWithRoom(path);
      return descriptor === undefined ? undefined : keep(path, descriptor);
    },
    forget(path) {
      for (const files of [opened, openedBefore]) {
        const file = files.get(path);
        if (file !== undefined) closeSync(file.descriptor);
        files.delete(path);
      }
    },
  };
}
