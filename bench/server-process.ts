import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { cpuTime, family, residentMemory } from "./cpu-time.ts";

/** The measured server: a separate process with a temporary data folder. */
export interface ServerProcess {
  readonly url: string;
  readonly dataPath: string;
  /** From spawn to the first health check response, in milliseconds. */
  readonly startMs: number;
  /** Processor time used so far by all its processes, in milliseconds. */
  cpu(): number;
  /** Current resident memory of all its processes, in MB (10⁶ bytes). */
  memory(): number;
  /** The highest resident memory since `resetPeak`, in MB. */
  peakMemory(): number;
  resetPeak(): void;
  stop(): Promise<void>;
}

export const API_KEY = "bench-key-0123456789";

/** `npm run bench` gives the program that `npm start` runs. */
const main =
  process.env.HOLDALL_TEST_PROGRAM ?? new URL("../server/main.ts", import.meta.url).pathname;

export interface ServerOptions {
  /** Kept when the server stops. Default: a temporary folder that is removed. */
  readonly dataPath?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server without rate limits. */
export async function startServer({ dataPath, env }: ServerOptions = {}): Promise<ServerProcess> {
  const folder = dataPath ?? mkdtempSync(join(tmpdir(), "holdall-bench-"));
  const started = performance.now();
  const child = spawn([process.execPath, main, "serve"], {
    env: {
      ...process.env,
      PORT: "0",
      DATA_PATH: folder,
      INITIAL_API_KEY: API_KEY,
      RATE_LIMIT_API: "0",
      RATE_LIMIT_HOSTING: "0",
      RATE_LIMIT_LINKS: "0",
      RATE_LIMIT_S3: "0",
      MIN_FREE_SPACE: "0",
      LOG_LEVEL: "error",
      ...env,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const url = await readUrl(child);
  await fetch(`${url}/api/health`);
  const startMs = performance.now() - started;

  return {
    url,
    dataPath: folder,
    startMs,
    cpu: () => cpuTime(child.pid),
    memory: () => residentMemory(child.pid),
    peakMemory: () => residentMemory(child.pid, "VmHWM"),
    resetPeak() {
      for (const pid of family(child.pid)) void Bun.write(`/proc/${pid}/clear_refs`, "5");
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      if (dataPath === undefined) rmSync(folder, { recursive: true });
    },
  };
}

async function readUrl(child: Subprocess<"ignore", "pipe", "inherit">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`The server exited before it was ready: ${text}`);
}
