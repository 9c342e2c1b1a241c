import type { Item } from "../item.ts";
import type { Queue } from "../queue.ts";

export interface BundleLimits {
  /** Maximum files per request. */
  readonly files: number;
}

/** Files up to this size share requests. */
export const SMALL_BYTES = 1_000_000;
/** Larger files go over several requests, and continue where they were interrupted. */
export const RESUMABLE_ABOVE = 8 * 1024 * 1024;
/** Maximum bytes of a bundle, so that progress shows and little is lost if it fails. */
const MAX_BUNDLE_BYTES = 8_000_000;

/**
 * The items of the next request: a single file, or several small files of one folder. Only of items
 * that are waiting and `isReady`. Empty if there are none.
 */
export function nextBundle(
  queue: Queue,
  limits: BundleLimits,
  isReady: (item: Item) => boolean = () => true,
): readonly Item[] {
  const isNext = (item: Item): boolean => item.state === "waiting" && isReady(item);
  const first = queue.find(isNext);
  if (first === undefined) return [];
  if (!isSmall(first)) return [first];
  const bundle: Item[] = [];
  const names = new Set<string>();
  let bytes = 0;
  for (const item of queue) {
    if (bundle.length === limits.files) break;
    if (!isNext(item) || !isSmall(item) || !haveOneTarget(item, first)) continue;
    const name = item.name.normalize("NFC");
    if (names.has(name) || (bundle.length > 0 && bytes + item.size > MAX_BUNDLE_BYTES)) continue;
    names.add(name);
    bytes += item.size;
    bundle.push(item);
  }
  return bundle;
}

const isSmall = ({ size, sendAlone }: Item): boolean => !sendAlone && size <= SMALL_BYTES;

const haveOneTarget = (one: Item, other: Item): boolean =>
  one.group === other.group &&
  one.batch === other.batch &&
  one.folder === other.folder &&
  one.decision === other.decision;

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
