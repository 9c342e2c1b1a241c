import { spawn } from "node:child_process";
import { runtimeSettings } from "./runtime-settings.mjs";

const CRASHES = new Set(["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP"]);

/**
 * Runs the program in the foreground and ends with its exit code. `describeError` explains in a sentence why the
 * program cannot be started.
 */
export function runProgram(program, args, describeError = ({ message }) => message) {
  const child = spawn(program, args, {
    env: { ...runtimeSettings, ...process.env },
    stdio: "inherit",
  });

  // The server decides how it stops; this process only waits for it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  // npm forwards a signal only to its shell, which exits without forwarding it.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid !== parent) child.kill("SIGTERM");
    }, 250);
    watch.unref();
  }
  child.on("error", (error) => {
    console.error(`Holdall could not be started: ${describeError(error)}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (CRASHES.has(signal)) {
      console.error(
        `The runtime crashed with ${signal}: its installation may be incomplete, or the processor too old for it.`,
      );
    }
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}
