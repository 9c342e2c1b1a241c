import type { Launch } from "./worker-pool.ts";

/** An executable with everything in it is its own program. */
const program = Bun.main.startsWith("/$bunfs/") ? [] : [Bun.main];

/** Starts this very program as a worker. Letters go over a socket that is closed when either ends. */
export const launchWorker: Launch = (receive) => {
  const child = Bun.spawn([process.execPath, ...program, "worker"], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    serialization: "advanced",
    ipc: receive,
  });
  return {
    pid: child.pid,
    ended: child.exited.then(() => ({ code: child.exitCode, signal: child.signalCode })),
    send(batch) {
      try {
        child.send(batch);
      } catch {
        // It has ended, which `ended` tells.
      }
    },
    kill: () => child.kill("SIGKILL"),
  };
};
