/*
 * Cleans up after a test process however it ends, kill -9 included. It reads lines such as
 * `process 123`, `ended 123`, `folder /some/path` and `removed /some/path`; when the test process
 * ends and closes the pipe, it kills the remaining processes and removes the remaining folders.
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
    /* It has exited. */
  }
}
await Bun.sleep(100);
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
