import { type Item, keyOf } from "../item.ts";
import { isScalable } from "./is-scalable.ts";

export interface ThumbnailPreparation {
  /** Call this when files have been stored, with all items whose files exist if they are done. */
  onStored(items: readonly Item[]): void;
}

/** The rest of a very large upload is scaled when it is looked at. */
const MAX_WAITING = 500;

/**
 * Has the server scale uploaded images, one after the other, so that the grid shows them at once. Nothing
 * depends on it. `prepare` resolves to false when the server is too busy: then the waiting ones are dropped.
 */
export function createThumbnailPreparation(
  prepare: (key: string) => Promise<boolean>,
): ThumbnailPreparation {
  const known = new Set<number>();
  let waiting: Item[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        const { content } = item;
        if (content === undefined || !(await isScalable(content))) continue;
        if (!(await prepare(item.storedKey ?? keyOf(item)))) waiting = [];
      }
    } catch {
      // The file cannot be read any more, or the server is not reached.
      waiting = [];
    } finally {
      isRunning = false;
    }
  }

  return {
    onStored(items) {
      for (const item of items) {
        if (item.state !== "done" || known.has(item.id)) continue;
        known.add(item.id);
        if (waiting.length < MAX_WAITING) waiting.push(item);
      }
      void run();
    },
  };
}
