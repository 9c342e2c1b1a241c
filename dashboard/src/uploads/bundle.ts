import type { Item } from "./item.ts";
import type { Queue } from "./queue.ts";

export interface BundleLimits {
  /** Files that one request may have. */
  readonly files: number;
}

/** Files up to this size share requests. */
export const SMALL_BYTES = 1_000_000;
/** And so many bytes go in one, so that progress shows and little is lost when it breaks. */
const MOST_BYTES = 8_000_000;

/**
 * What goes next in one request: a file alone, an empty folder, or small files of one folder
 * together. Empty: nothing waits.
 */
export function nextBundle(queue: Queue, limits: BundleLimits): readonly Item[] {
  const first = queue.find(({ state }) => state === "waiting");
  if (first === undefined) return [];
  if (!isSmall(first)) return [first];
  const bundle: Item[] = [];
  const names = new Set<string>();
  let bytes = 0;
  for (const item of queue) {
    if (bundle.length === limits.files) break;
    if (item.state !== "waiting" || !isSmall(item)) continue;
    if (item.folder !== first.folder || item.decision !== first.decision) continue;
    const name = item.name.normalize("NFC");
    if (names.has(name) || (bundle.length > 0 && bytes + item.size > MOST_BYTES)) continue;
    names.add(name);
    bytes += item.size;
    bundle.push(item);
  }
  return bundle;
}

const isSmall = ({ content, size, alone }: Item): boolean =>
  content !== undefined && !alone && size <= SMALL_BYTES;

/** How many bytes of each file are sent when `loaded` of all of them are: one after the other. */
export function spread(bundle: readonly Item[], loaded: number): Map<number, number> {
  const sent = new Map<number, number>();
  let left = loaded;
  for (const { id, size } of bundle) {
    const part = Math.min(size, Math.max(0, left));
    sent.set(id, part);
    left -= part;
  }
  return sent;
}
