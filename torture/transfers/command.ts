import { spawn } from "bun";
import { onExit } from "../on-exit.ts";

export interface Ended {
  /** null: it was killed. */
  readonly code: number | null;
  readonly output: string;
  /** On the clock of `performance.now()`. */
  readonly started: number;
  readonly ended: number;
}

const root = new URL("../..", import.meta.url).pathname;
const TIMEOUT_MS = 120_000;

export interface KillTiming {
  /** Whether the command has started its work. */
  readonly hasBegun: () => boolean;
  /** When to kill it, in milliseconds after that. */
  readonly after: number;
}

/** Runs `holdall ARGS` to its end, or until it is killed (kill -9). */
export async function command(
  dataPath: string,
  args: readonly string[],
  killTiming?: KillTiming,
): Promise<Ended> {
  const started = performance.now();
  const child = spawn([process.execPath, "server/main.ts", ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      DATA_PATH: dataPath,
      MIN_FREE_SPACE: "0",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const kill = () => child.kill("SIGKILL");
  const clear = onExit(kill);
  const timer = setTimeout(kill, TIMEOUT_MS);
  if (killTiming !== undefined) {
    while (child.exitCode === null && !killTiming.hasBegun()) await Bun.sleep(2);
    await Bun.sleep(killTiming.after);
    kill();
  }
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  clearTimeout(timer);
  clear();
  return { code: child.exitCode, output: stdout + stderr, started, ended: performance.now() };
}

/**
 * Returns a function that runs a command, kills it at a random moment of its work, calls
 * `afterKill` and runs it again to its end. It adapts to the duration of the work.
 */
export function createCommandKiller() {
  let expectedMs = 400;

  return async (
    dataPath: string,
    args: readonly string[],
    hasBegun: () => boolean,
    afterKill: () => void | Promise<void>,
  ): Promise<{ ended: Ended; wasKilled: boolean }> => {
    const first = await command(dataPath, args, { hasBegun, after: expectedMs * Math.random() });
    if (first.code !== null) {
      expectedMs *= 0.7;
      return { ended: first, wasKilled: false };
    }
    expectedMs *= 1.15;
    await afterKill();
    return { ended: await command(dataPath, args), wasKilled: true };
  };
}
