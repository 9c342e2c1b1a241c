import { readdirSync, readFileSync } from "node:fs";

/** Number of open file descriptors of a process. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Waits up to `timeoutMs` until a process has at most this many open file descriptors; returns how many it has then. */
export async function waitForDescriptors(
  pid: number,
  max: number,
  timeoutMs: number,
): Promise<number> {
  const until = performance.now() + timeoutMs;
  while (openDescriptors(pid) > max && performance.now() < until) await Bun.sleep(100);
  return openDescriptors(pid);
}

/** Resident memory of a process in MB (10⁶ bytes). */
export function residentMemory(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}
