import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { workersOf } from "./each-worker.ts";
import type { TestServer } from "./harness.ts";

/*
 * Unlike the time of a clock, other processes do not lengthen processor time: it shows whether
 * something takes quadratic time. All in milliseconds.
 */

/** The processor time of this process, all threads together. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor time of a server and its workers, in steps of 10 ms. */
export function serverProcessorTime(server: TestServer): number {
  if (process.platform !== "linux") return timeFromPs(server.pid);
  return [server.pid, ...workersOf(server)].reduce((sum, pid) => sum + timeFromProc(pid), 0);
}

function timeFromProc(pid: number): number {
  // The name of the process may contain spaces. utime and stime are the fields 14 and 15.
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (user + system) * 10;
}

/** The processor time of one process, which `ps` prints as minutes and seconds. */
function timeFromPs(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) * 1000;
}
