import { spawn } from "node:child_process";
import { bunPath, root } from "./install.mjs";

/** What runs longer hangs: no test file needs as much. */
const TIMEOUT_MS = 15 * 60_000;

/** Resolves with the output of `bun` and whether it succeeded. */
export function runBun(args, env) {
  return new Promise((resolve) => {
    const child = spawn(bunPath(), args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const timer = setTimeout(() => {
      output += `\nerror: It was killed after ${TIMEOUT_MS / 60_000} minutes.\n`;
      child.kill("SIGKILL");
    }, TIMEOUT_MS);
    // Not "close": processes that a test has left behind may keep its output open.
    child.once("exit", (code) => {
      clearTimeout(timer);
      setImmediate(() => resolve({ isSuccess: code === 0, output }));
    });
  });
}
