import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Call, CHANGING_CALLS } from "../tracer.ts";

/** Where to kill the server: just before one system call that changes a file. */
export interface KillPoint {
  readonly call: string;
  /** Relative to the data folder, with placeholders for what differs between runs. */
  readonly place: string;
  /** The number of this call in its thread, from 1. */
  readonly nth: number;
}

export const describePoint = ({ call, place, nth }: KillPoint): string =>
  `${call} of ${place}${nth === 1 ? "" : `, number ${nth}`}`;

/** Parts of paths that differ between runs. */
export interface PathContext {
  readonly dataPath: string;
  /** Block folders before the operation. */
  readonly blocks: ReadonlySet<string>;
  /** The block that the server has leased; null if it has none yet. */
  readonly leased: string | null;
}

/** The context before an operation. `before`: the blocks before the server started. */
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
 * The kill points of a traced operation. strace counts per thread, so if two threads make the same
 * call on the same path, the first one counts for both.
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

/** The strace options that kill the server at the point. */
export const killAt = (point: KillPoint, context: PathContext): string[] =>
  injectAt(point, context, "signal=KILL");

/** The strace options that make the call at the point fail without being executed. */
export const failAt = (point: KillPoint, context: PathContext, error: "EIO" | "ENOSPC"): string[] =>
  injectAt(point, context, `error=${error}`);

function injectAt(
  { call, place, nth }: KillPoint,
  { dataPath, leased }: PathContext,
  what: string,
): string[] {
  const path = join(dataPath, place.replace(LEASED, leased ?? LEASED));
  return [
    ...(isPredictable(place) ? ["-P", path] : []),
    ...["-e", `trace=${call}`, "-e", `inject=${call}:${what}:when=${nth}`],
  ];
}

/** The strace options that record every call that changes a file. */
export const recordAll: readonly string[] = ["-e", `trace=${CHANGING_CALLS.join(",")}`];
