import { readdirSync, readFileSync } from "node:fs";

/** Linux reports processor time in clock ticks: 100 a second on every platform that Bun supports. */
const TICKS = 100;

interface ProcessStat {
  readonly parent: number;
  /** User and system time of all threads, in ticks. */
  readonly ticks: number;
}

/** User and system time of a process and all its descendants, in milliseconds. */
export function cpuTime(pid: number): number {
  const ticks = family(pid).reduce((sum, each) => sum + (statOf(each)?.ticks ?? 0), 0);
  return (ticks * 1000) / TICKS;
}

/** Resident memory of a process and all its descendants, in MB (10⁶ bytes). */
export function residentMemory(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  return family(pid).reduce((sum, each) => {
    const status = read(`/proc/${each}/status`) ?? "";
    return sum + (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
  }, 0);
}

/** The process and all its descendants. */
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

/** The name of the process's program; undefined: it has ended. */
export const nameOf = (pid: number): string | undefined => read(`/proc/${pid}/comm`)?.trim();

/** undefined: the process has ended. */
function statOf(pid: number): ProcessStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name in parentheses may contain anything, even spaces.
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
