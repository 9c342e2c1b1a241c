import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Each line once, however long that takes; otherwise round and round for `seconds`. */
  readonly once?: boolean;
}

export interface Load {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answered with 400 and above. */
  readonly refused: number;
}

/** All that wrk prints; woken by an interrupt once it says that it is at the end. */
async function outputOf(wrk: Subprocess<"ignore", "pipe", "inherit">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of wrk.stdout) {
    const atEnd = /^END$/m.test(text);
    text += decoder.decode(chunk, { stream: true });
    if (!atEnd && /^END$/m.test(text)) wrk.kill("SIGINT");
  }
  return text;
}

interface Result extends Load {
  readonly micros: number;
  readonly failed: number;
}

const script = new URL("wrk.lua", import.meta.url).pathname;
const LONGEST = 600;

export interface Line {
  readonly path: string;
  /** "Name: value" each. */
  readonly headers?: readonly string[];
  /** Makes it a POST; without tabs and backslashes. */
  readonly body?: string;
}

function lineText({ path, headers = [], body = "" }: Line): string {
  const escaped = body.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  return [path, escaped, ...headers].join("\t");
}

/** Puts load on a server with wrk, in one thread. Error: connections broke. */
export async function load(
  url: string,
  lines: readonly Line[],
  { connections, seconds, once = false }: LoadOptions,
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-load-"));
  const path = join(folder, "lines");
  writeFileSync(path, lines.map(lineText).join("\n"));
  const duration = `-d${once ? LONGEST : seconds}s`;
  const args = ["-t1", `-c${connections}`, duration, "--timeout", "60s", "-s", script, url];
  const wrk = Bun.spawn(["wrk", ...args], {
    stdout: "pipe",
    env: { ...process.env, BENCH_LINES: path, ...(once ? { BENCH_ONCE: "1" } : {}) },
    stderr: "inherit",
  });
  const text = await outputOf(wrk);
  rmSync(folder, { recursive: true });
  const json = /^RESULT (.*)$/m.exec(text)?.[1];
  if (json === undefined) throw new Error(`wrk gave no result:\n${text}`);
  const { micros, failed, p50, p99, ...result }: Result = JSON.parse(json);
  if (failed > 0) throw new Error(`${failed} of ${result.requests} requests broke off`);
  return { ...result, seconds: micros / 1e6, p50: p50 / 1000, p99: p99 / 1000 };
}
