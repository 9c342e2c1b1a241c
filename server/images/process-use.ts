import { readFileSync } from "node:fs";

/** What a process uses: processor time so far, and memory now. */
export interface ProcessUse {
  readonly cpuMs: number;
  readonly bytes: number;
}

/** Linux counts processor time in hundredths of a second on every platform that Bun supports. */
const TICK_MS = 10;

/** Reads the use of a process; undefined: it has ended, or the system has no /proc. */
export function readProcessUse(pid: number): ProcessUse | undefined {
  try {
    // The fields follow the program's name in parentheses, which may contain anything (proc(5)).
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return { cpuMs, bytes: Number(kilobytes?.[1] ?? 0) * 1024 };
  } catch {
    return undefined;
  }
}
