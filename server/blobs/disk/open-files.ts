import { closeSync, openSync } from "node:fs";
import { isOutOfDescriptors, unlessAbsent } from "./disk-fault.ts";

/**
 * Keeps the files open that were read just now: opening and closing a file takes as long as reading
 * 64 KB.
 */
export interface OpenFiles {
  /**
   * The descriptor of the file at this path, for reading; undefined: absent. Use it at once, before
   * anything else can run. Error: the system's.
   */
  open(path: string): number | undefined;
  /** To be called once the file is removed or moved, so that its space is free at once. */
  forget(path: string): void;
}

const MAX_OPEN = 128;
/**
 * No file stays open for longer than two of these: another process may have moved it away, or
 * removed it and wait for its space.
 */
const TURN_MS = 500;

export function createOpenFiles(): OpenFiles {
  let opened = new Map<string, number>();
  let openedBefore = new Map<string, number>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function endTurn(): void {
    for (const descriptor of openedBefore.values()) closeSync(descriptor);
    openedBefore = opened;
    opened = new Map();
    if (openedBefore.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function keep(path: string, descriptor: number): void {
    if (opened.size >= MAX_OPEN / 2) endTurn();
    opened.set(path, descriptor);
    timer ??= setInterval(endTurn, TURN_MS).unref();
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
      if (descriptor !== undefined) keep(path, descriptor);
      return descriptor;
    },
    forget(path) {
      for (const files of [opened, openedBefore]) {
        const descriptor = files.get(path);
        if (descriptor !== undefined) closeSync(descriptor);
        files.delete(path);
      }
    },
  };
}
