import { readdirSync, readFileSync } from "node:fs";

/** The clock ticks in a second that Linux counts processor time in, on every machine that Bun runs on. */
const TICKS = 100;

interface ProcessStat {
  readonly parent: number;
  /** Of all its threads, user and system, in ticks. */
  readonly ticks: number;
}

/** Milliseconds of processor time that a process and all below it have used, user and system. */
export function cpuTime(pid: number): number {
  const ticks = family(pid).reduce((sum, each) => sum + (statOf(each)?.ticks ?? 0), 0);
  return (ticks * 1000) / TICKS;
}

/** The resident memory of a process and all below it, in MB (10⁶ bytes). */
export function residentMemory(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  return family(pid).reduce((sum, each) => {
    const status = read(`/proc/${each}/status`) ?? "";
    return sum + (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
  }, 0);
}

/** The process and all below it. */
export function family(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat === undefined) continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

/** undefined: there is no such process any more. */
function statOf(pid: number): ProcessStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, spaces too.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
