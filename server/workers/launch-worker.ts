import { ownProgram, spawn } from "../runtime/processes.ts";
import type { LaunchWorker } from "./worker-pool.ts";

/** Starts this program as a worker. Messages go over an IPC socket that closes when either process ends. */
export const launchWorker: LaunchWorker = (receive) => {
  const child = spawn([process.execPath, ...ownProgram, "worker"], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    serialization: "advanced",
    ipc: receive,
  });
  return {
    pid: child.pid,
    exited: child.exited.then(() => ({ code: child.exitCode, signal: child.signalCode })),
    send(batch) {
      try {
        child.send(batch);
      } catch {
        // It has exited, which `exited` reports.
      }
    },
    kill: () => child.kill("SIGKILL"),
  };
};
