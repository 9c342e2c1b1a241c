import { setPriority } from "node:os";
import { ownProgram, spawn } from "../runtime/processes.ts";
import type { LaunchImageProcess } from "./image-child.ts";
import type { RenderJob, RenderResult } from "./rendering.ts";

/** Requests come first, but other work of the machine does not stop it. */
const PRIORITY = 10;

/**
 * Starts this program as an image process, without the environment, which has secrets, and with a
 * low priority. `started`: the arguments that start it with Bun. `command`: what it does.
 */
export const createLaunchImageProcess =
  <Job = RenderJob, Result = RenderResult>(
    started: readonly string[] = ownProgram,
    command = "image-process",
  ): LaunchImageProcess<Job, Result> =>
  (receive) => {
    const child = spawn([process.execPath, ...started, command], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: {},
      // A folder without a .env file, which the runtime would load.
      cwd: "/",
      serialization: "advanced",
      ipc: (message: Result) => receive(message),
    });
    try {
      setPriority(child.pid, PRIORITY);
    } catch {
      // It has already ended, or the system has no priorities.
    }
    return {
      pid: child.pid,
      exited: child.exited,
      send(job) {
        try {
          child.send(job);
        } catch {
          // It has exited, which `exited` reports.
        }
      },
      kill: () => child.kill("SIGKILL"),
    };
  };
