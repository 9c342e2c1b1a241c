import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Send each line once, however long it takes; otherwise repeat the lines for `seconds`. */
  readonly once?: boolean;
}

export interface Load {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses with a status of 400 or above. */
  readonly refused: number;
}

/** Everything that wrk prints. Interrupts wrk once it reports the end of the lines. */
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
const MAX_SECONDS = 600;

export interface RequestLine {
  readonly path: string;
  /** Each as "Name: value". */
  readonly headers?: readonly string[];
  /** Must contain no tabs and no backslashes. */
  readonly body?: string;
  /** Default: POST with a body, otherwise GET. */
  readonly method?: string;
}

function lineText({ path, headers = [], body = "", method }: RequestLine): string {
  const escaped = body.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  const verb = method ?? (body === "" ? "GET" : "POST");
  return [verb, path, escaped, ...headers].join("\t");
}

/** Loads a server with wrk, in one thread. Throws when connections break. */
export async function load(
  url: string,
  lines: readonly RequestLine[],
  { connections, seconds, once = false }: LoadOptions,
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-load-"));
  const path = join(folder, "lines");
  writeFileSync(path, lines.map(lineText).join("\n"));
  const duration = `-d${once ? MAX_SECONDS : seconds}s`;
  const args = ["-t1", `-c${connections}`, duration, "--timeout", "60s", "-s", script, url];
  const wrk = Bun.spawn(["wrk", ...args], {
    stdout: "pipe",
    env: { ...process.env, BENCH_LINES: path, ...(once ? { BENCH_ONCE: "1" } : {}) },
    stderr: "inherit",
  });
  const text = await outputOf(wrk);
  rmSync(folder, { recursive: true });
  const json = /^RESULT (.*)$/m.exec(text)?.[1];
  if (json === undefined) throw new Error(`wrk printed no result:\n${text}`);
  const { micros, failed, p50, p99, ...result }: Result = JSON.parse(json);
  if (failed > 0) throw new Error(`${failed} of ${result.requests} requests failed`);
  return { ...result, seconds: micros / 1e6, p50: p50 / 1000, p99: p99 / 1000 };
}
