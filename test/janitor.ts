/*
 * Clears up after a test run however it ends, kill -9 included: reads lines such as `process 123`,
 * `ended 123`, `folder /some/path` and `removed /some/path`, and when the run is gone, which closes
 * the pipe, ends the processes and removes the folders that are left.
 */
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const processes = new Set<string>();
const folders = new Set<string>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const [, what = "", subject = ""] = /^(\S+) (.+)$/.exec(line) ?? [];
  if (what === "process") processes.add(subject);
  if (what === "ended") processes.delete(subject);
  if (what === "folder") folders.add(subject);
  if (what === "removed") folders.delete(subject);
}

for (const id of processes) {
  try {
    process.kill(Number(id), "SIGKILL");
  } catch {
    /* It ended by itself. */
  }
}
await Bun.sleep(100);
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
