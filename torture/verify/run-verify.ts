import { spawn } from "bun";
import { atTheEnd } from "../cleanup.ts";

/** One line of `holdall verify --json`. */
export type AuditDetails = Readonly<Record<string, unknown>>;

const root = new URL("../..", import.meta.url).pathname;
const MOST_MS = 600_000;

export function startVerify(dataPath: string, ...flags: string[]) {
  const child = spawn([process.execPath, "server/main.ts", "verify", "--json", ...flags], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_PATH: dataPath },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const clear = atTheEnd(() => child.kill("SIGKILL"));
  void child.exited.then(clear);
  return child;
}

/** Runs `holdall verify --json` to its end. */
export async function runVerify(
  dataPath: string,
  ...flags: string[]
): Promise<{ code: number; told: AuditDetails[]; errors: string }> {
  const child = startVerify(dataPath, ...flags);
  const timer = setTimeout(() => child.kill("SIGKILL"), MOST_MS);
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  clearTimeout(timer);
  const told = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { code, told, errors };
}

/** The field of every line of this type. */
export function toldOf(told: readonly AuditDetails[], type: string, field: string): string[] {
  return told.filter((line) => line.type === type).map((line) => String(line[field]));
}
