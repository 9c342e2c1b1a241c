import type { Item } from "./item.ts";
import type { Queue } from "./queue.ts";

export interface BundleLimits {
  /** Maximum files per request. */
  readonly files: number;
}

/** Files up to this size share requests. */
export const SMALL_BYTES = 1_000_000;
/** Maximum bytes of a bundle, so that progress shows and little is lost if it fails. */
const MAX_BUNDLE_BYTES = 8_000_000;

/**
 * The items of the next request: a single file, an empty folder, or several small files of one
 * folder. Empty if nothing is waiting.
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
    if (names.has(name) || (bundle.length > 0 && bytes + item.size > MAX_BUNDLE_BYTES)) continue;
    names.add(name);
    bytes += item.size;
    bundle.push(item);
  }
  return bundle;
}

const isSmall = ({ content, size, sendAlone }: Item): boolean =>
  content !== undefined && !sendAlone && size <= SMALL_BYTES;

/** Distributes `loaded` bytes of a request over its files, in order. */
export function distributeProgress(bundle: readonly Item[], loaded: number): Map<number, number> {
  const sent = new Map<number, number>();
  let left = loaded;
  for (const { id, size } of bundle) {
    const part = Math.min(size, Math.max(0, left));
    sent.set(id, part);
    left -= part;
  }
  return sent;
}
