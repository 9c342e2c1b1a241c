import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Call, CHANGING_CALLS } from "../tracer.ts";

/** A moment of an operation: just before one system call that changes a file. */
export interface KillPoint {
  readonly call: string;
  /** Relative to the data folder, with words in place of what differs from run to run. */
  readonly place: string;
  /** Which of such calls of one thread it is, from 1. */
  readonly nth: number;
}

export const describePoint = ({ call, place, nth }: KillPoint): string =>
  `${call} of ${place}${nth === 1 ? "" : `, number ${nth}`}`;

/** What differs from run to run. */
export interface PathContext {
  readonly dataPath: string;
  /** The folders of blobs that are there before the operation. */
  readonly blocks: ReadonlySet<string>;
  /** The one that the server takes ids from, or null when it has none yet. */
  readonly leased: string | null;
}

/** The scene before an operation, given the blocks that were there before the server started. */
export function pathContextOf(dataPath: string, before: ReadonlySet<string>): PathContext {
  const blocks = blocksOf(dataPath);
  const [leased = null] = [...blocks].filter((block) => !before.has(block));
  return { dataPath, blocks, leased };
}

export function blocksOf(dataPath: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(join(dataPath, "blobs")));
  } catch {
    return new Set();
  }
}

const LEASED = "the leased block";
const FRESH = "a fresh block";

/**
 * The points of an audited operation. The tracer counts thread by thread, so that of two threads
 * that make the same call on the same path, the first to get so far stands for both.
 */
export function pointsOf(calls: readonly Call[], context: PathContext): KillPoint[] {
  const counts = new Map<string, number>();
  const count = (...key: (string | number)[]): number => {
    const text = key.join(" ");
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts.get(text) ?? 0;
  };
  const points = new Map<string, KillPoint>();
  for (const { thread, name, path, changes } of calls) {
    const place = placeOf(path, context);
    const inThread = count(thread, name);
    const onPath = count(thread, name, path);
    if (place === null || !changes) continue;
    const point = { call: name, place, nth: isPredictable(place) ? onPath : inThread };
    points.set(describePoint(point), point);
  }
  return [...points.values()];
}

function placeOf(path: string, { dataPath, blocks, leased }: PathContext): string | null {
  if (!path.startsWith(`${dataPath}/`)) return null;
  const [top = "", block, ...rest] = path.slice(dataPath.length + 1).split("/");
  if (top !== "blobs" || block === undefined) return top.replace(/\.\d+\.new$/, ".PID.new");
  const name = block === leased ? LEASED : blocks.has(block) ? block : FRESH;
  return [top, name, ...rest].join("/");
}

const isPredictable = (place: string): boolean => !/a fresh block|PID/.test(place);

/** What makes strace kill the server at the point. */
export function killAt(
  { call, place, nth }: KillPoint,
  { dataPath, leased }: PathContext,
): string[] {
  const path = join(dataPath, place.replace(LEASED, leased ?? LEASED));
  return [
    ...(isPredictable(place) ? ["-P", path] : []),
    ...["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${nth}`],
  ];
}

/** What makes strace record every call that changes a file, so that points can be found. */
export const recordAll: readonly string[] = ["-e", `trace=${CHANGING_CALLS.join(",")}`];
