import { spawn } from "bun";
import { onExit } from "../on-exit.ts";

/** One line of `holdall verify --json`. */
export type VerifyLine = Readonly<Record<string, unknown>>;

const root = new URL("../..", import.meta.url).pathname;
const TIMEOUT_MS = 600_000;

export function startVerify(dataPath: string, ...flags: string[]) {
  const child = spawn([process.execPath, "server/main.ts", "verify", "--json", ...flags], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_PATH: dataPath },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const clear = onExit(() => child.kill("SIGKILL"));
  void child.exited.then(clear);
  return child;
}

/** Runs `holdall verify --json` to its end. */
export async function runVerify(
  dataPath: string,
  ...flags: string[]
): Promise<{ code: number; lines: VerifyLine[]; errors: string }> {
  const child = startVerify(dataPath, ...flags);
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  clearTimeout(timer);
  const lines = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { code, lines, errors };
}

/** The values of a field in all lines of this type. */
export function valuesOf(lines: readonly VerifyLine[], type: string, field: string): string[] {
  return lines.filter((line) => line.type === type).map((line) => String(line[field]));
}
