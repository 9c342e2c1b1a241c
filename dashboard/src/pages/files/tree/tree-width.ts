import { readStored, writeStored } from "../../../app/local-storage.ts";

const STORAGE_KEY = "holdall-tree-width";

/** In pixels. */
export const TREE_WIDTH = { min: 180, initial: 240, max: 640 } as const;

export const limitTreeWidth = (width: number): number =>
  Math.round(Math.min(TREE_WIDTH.max, Math.max(TREE_WIDTH.min, width)));

export function storedTreeWidth(): number {
  const stored = Number(readStored(STORAGE_KEY) ?? TREE_WIDTH.initial);
  return Number.isFinite(stored) ? limitTreeWidth(stored) : TREE_WIDTH.initial;
}

export const storeTreeWidth = (width: number): void => writeStored(STORAGE_KEY, String(width));
