import { type Subprocess, spawn } from "bun";
import type { Reachable } from "../test/client.ts";
import { onExit } from "./on-exit.ts";

/** A real server process under test. */
export interface ServerProcess extends Reachable {
  readonly dataPath: string;
  readonly pid: number;
  /** Time from spawn until it was serving, in milliseconds. */
  readonly startMs: number;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with the exit code, or null if a signal ended the process. */
  readonly exited: Promise<number | null>;
  isAlive(): boolean;
  /** SIGTERM, then kill -9 after twenty seconds. Resolves like `exited`. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the server as its only child, such as strace. */
  readonly wrap?: readonly string[];
}

export const API_KEY = "torture-key-0123456789";
const MAX_START_MS = 20_000;
const MAX_STOP_MS = 20_000;

const root = new URL("..", import.meta.url).pathname;
/** `npm run torture` bundles the server: a start takes half as long. */
const program = process.env.HOLDALL_TEST_PROGRAM ?? "server/main.ts";
/** The runtime's, which `npm run torture` sets as `npm start` does. */
const runtimeSettings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(BUN_JSC_|UV_)/.test(name)),
);

/**
 * Starts the server on a free port, without rate limits. Throws with its output if it does not
 * start.
 */
export async function startServer(
  dataPath: string,
  options: ServerOptions = {},
): Promise<ServerProcess> {
  const from = performance.now();
  const child = launch(dataPath, options);
  const timer = setTimeout(() => child.process.kill("SIGKILL"), MAX_START_MS);
  const url = await child.url;
  clearTimeout(timer);
  if (url === null) {
    const code = await child.process.exited;
    throw new Error(`The server did not start (${code}):\n${child.output()}`);
  }
  const startMs = performance.now() - from;
  const { process: running, output } = child;
  const isAlive = () => running.exitCode === null && running.signalCode === null;
  const exited = running.exited.then(() => running.exitCode);
  const end = async (signal: NodeJS.Signals) => {
    if (isAlive()) running.kill(signal);
    const late = setTimeout(() => running.kill("SIGKILL"), MAX_STOP_MS);
    const code = await exited;
    clearTimeout(late);
    return code;
  };
  return {
    url,
    apiKey: options.env?.INITIAL_API_KEY ?? API_KEY,
    dataPath,
    pid: running.pid,
    startMs,
    output,
    exited,
    isAlive,
    stop: () => end("SIGTERM"),
    kill: async () => {
      await end("SIGKILL");
    },
  };
}

/** Outcome of `startAndKill`. */
export interface KilledServer {
  readonly served: boolean;
  /** Whether it exited before it was killed. */
  readonly endedItself: boolean;
  readonly output: string;
}

/** Runs the server until it exits, or kills it `graceMs` milliseconds after it started serving. */
export async function startAndKill(
  dataPath: string,
  options: ServerOptions = {},
  graceMs = 0,
): Promise<KilledServer> {
  const { process: child, url, output } = launch(dataPath, options);
  const timer = setTimeout(() => child.kill("SIGKILL"), MAX_START_MS);
  const served = (await url) !== null;
  await Promise.race([child.exited, ...(served ? [Bun.sleep(graceMs)] : [])]);
  const endedItself = child.exitCode !== null || child.signalCode !== null;
  child.kill("SIGKILL");
  await child.exited;
  clearTimeout(timer);
  return { served, endedItself, output: output() };
}

function launch(dataPath: string, { env = {}, wrap = [] }: ServerOptions) {
  const server = [process.execPath, program, "serve"];
  const child = spawn([...wrap, ...server], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...runtimeSettings,
      PORT: "0",
      DATA_PATH: dataPath,
      INITIAL_API_KEY: API_KEY,
      RATE_LIMIT_API: "0",
      RATE_LIMIT_HOSTING: "0",
      RATE_LIMIT_LINKS: "0",
      RATE_LIMIT_S3: "0",
      MIN_FREE_SPACE: "0",
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const clear = onExit(() => child.kill("SIGKILL"));
  void child.exited.then(clear);
  let text = "";
  const { promise: url, resolve } = Promise.withResolvers<string | null>();
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      // 0.0.0.0 includes the loopback address.
      const port = /serves on http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    }
  };
  void Promise.all([listen(child.stdout), listen(child.stderr)]).then(() => resolve(null));
  return { process: child as Subprocess, url, output: () => text };
}
