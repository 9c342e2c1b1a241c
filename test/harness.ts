import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.fixture.ts";
import { freshStores } from "./test-stores.ts";

/** The number of processes of every server: `TEST_WORKERS=2`. */
const workers = process.env.TEST_WORKERS;

const root = fileURLToPath(new URL("..", import.meta.url));
const bun = join(root, "node_modules/.bin/bun");
/** `npm test` gives the bundle of `scripts/bundle-server.ts`, which starts in half the time. */
const holdall = process.env.HOLDALL_TEST_PROGRAM ?? "server/main.ts";

/** `undefined` removes a default of the harness. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface TestServer {
  /** Without a trailing slash. Changes with `restart`. */
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly dataPath: string;
  /** The id of the process that was started; workers are its children. */
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
  /** All output so far, of both streams and all starts. */
  output(): string;
  /** Sends SIGTERM and resolves with the exit code; null if a signal killed it. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Stops the server if it runs and starts it on the same data folder with changes to its environment. */
  restart(env?: Environment): Promise<void>;
  /**
   * Kills the process and removes its data folder. Throws if a secret of its environment appears in
   * its output or its catalog.
   */
  discard(): Promise<void>;
}

const cleanupProcess = spawn(bun, [fileURLToPath(new URL("cleanup-process.ts", import.meta.url))], {
  stdio: ["pipe", "ignore", "ignore"],
  detached: true,
});
cleanupProcess.unref();

const notifyCleanup = (
  what: "process" | "ended" | "folder" | "removed",
  subject: string | number,
) => cleanupProcess.stdin.write(`${what} ${subject}\n`);

/** A new folder, removed at the end of the test process at the latest. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdall-test-"));
  notifyCleanup("folder", folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  notifyCleanup("removed", folder);
}

function baseEnvironment(env: Environment): Record<string, string> {
  const all: Environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}

function launch(
  args: readonly string[],
  env: Environment,
  wrapper: readonly string[] = [],
): ChildProcess {
  const [program = bun, ...rest] = [...wrapper, bun, holdall, ...args];
  const child = spawn(program, rest, {
    cwd: root,
    env: baseEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  killAfterRun(child);
  return child;
}

/** Makes sure that the process is killed at the end of the test process at the latest. */
export function killAfterRun(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) throw new Error("A process could not be started");
  notifyCleanup("process", pid);
  child.once("exit", () => notifyCleanup("ended", pid));
}

const exitCodeOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("close", (code) => resolve(code)));

/** Long enough for a busy machine. */
const START_MS = 120_000;
/** More than the server gives to requests in progress. */
const STOP_MS = 60_000;

/** Resolves once a server responds on this port, or after `START_MS`. */
async function waitUntilListening(port: number): Promise<void> {
  for (let round = 0; round < START_MS / 50; round += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (answer !== null) return;
    await Bun.sleep(50);
  }
}

export interface Finished {
  /** null: it was killed because it did not exit in time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `holdall ARGS`, optionally through a wrapper command, for at most `limit` milliseconds. */
export async function run(
  args: readonly string[],
  env: Environment,
  limit = 150_000,
  wrapper: readonly string[] = [],
): Promise<Finished> {
  const child = launch(args, env, wrapper);
  const printed = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    printed.stdout += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    printed.stderr += String(chunk);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), limit);
  const code = await exitCodeOf(child);
  clearTimeout(timer);
  return { code, ...printed };
}

const SECRETS = [
  "INITIAL_API_KEY",
  "ADMIN_PASSWORD",
  "AUTH_SECRET",
  "INITIAL_S3_SECRET_KEY",
  "MINIO_ROOT_PASSWORD",
] as const;

/** A sentence that says which secret was leaked where; undefined: none. */
function findLeakedSecret(settings: Environment, output: string): string | undefined {
  const folder = settings.DATA_PATH ?? "";
  const kept = existsSync(folder) ? readdirSync(folder) : [];
  const catalogs = kept
    .filter((name) => name.startsWith("catalog.sqlite"))
    .map((name) => [name, readFileSync(join(folder, name))] as const);
  for (const name of SECRETS) {
    const secret = settings[name];
    // A short one may appear by chance.
    if (secret === undefined || secret.length < 16) continue;
    if (output.includes(secret)) return `The server printed ${name}:\n${output}`;
    const place = catalogs.find(([, bytes]) => bytes.includes(secret))?.[0];
    if (place !== undefined) return `${name} appears in ${place}.`;
  }
  return undefined;
}

/**
 * Starts a server process on a free port with an empty data folder and no rate limits. Throws with
 * its output if it exits or is not ready in time.
 */
export async function startServer(env: Environment = {}): Promise<TestServer> {
  const folder = temporaryFolder();
  const apiKey = env.INITIAL_API_KEY ?? "test-key-0123456789abcdef";
  let settings: Environment = {
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_PATH: join(folder, "data"),
    INITIAL_API_KEY: apiKey,
    RATE_LIMIT_API: "0",
    RATE_LIMIT_HOSTING: "0",
    RATE_LIMIT_LINKS: "0",
    RATE_LIMIT_S3: "0",
    WORKERS: workers,
    ...(await freshStores()),
    ...env,
  };
  let output = "";
  let child: ChildProcess;
  let port = 0;

  async function start(): Promise<void> {
    const from = output.length;
    // With a public URL the server may print that one, so the port is chosen here.
    const given = env.PORT === undefined ? undefined : Number(env.PORT);
    const chosen = settings.PUBLIC_URL === undefined ? null : (given ?? (await freePort()));
    if (chosen !== null) settings = { ...settings, PORT: String(chosen) };
    child = launch(["serve"], settings);
    const mine = child;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      mine.kill("SIGKILL");
      reject(new Error(`The server was not ready in time. Its output:\n${output.slice(from)}`));
    }, START_MS);
    const listen = (chunk: unknown) => {
      output += String(chunk);
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output.slice(from));
      if (found !== null && port === 0) {
        port = Number(found[1]);
        resolve();
      }
    };
    mine.stdout?.on("data", listen);
    mine.stderr?.on("data", (chunk) => {
      output += String(chunk);
    });
    mine.once("close", (code) => {
      reject(new Error(`The server ended with ${code}. Its output:\n${output.slice(from)}`));
    });
    port = 0;
    if (chosen !== null) {
      void waitUntilListening(chosen).then(() => {
        port = chosen;
        resolve();
      });
    }
    await promise.finally(() => clearTimeout(timer));
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const mine = child;
    if (mine.exitCode === null && mine.signalCode === null) mine.kill(signal);
    const timer = setTimeout(() => mine.kill("SIGKILL"), STOP_MS);
    const code = await exitCodeOf(mine);
    clearTimeout(timer);
    return code;
  }

  await start();
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get env() {
      return baseEnvironment(settings);
    },
    apiKey,
    dataPath: settings.DATA_PATH ?? "",
    get pid() {
      return child.pid ?? 0;
    },
    output: () => output,
    stop: () => end("SIGTERM"),
    kill: async () => {
      await end("SIGKILL");
    },
    restart: async (changes = {}) => {
      await end("SIGTERM");
      settings = { ...settings, ...changes };
      await start();
    },
    discard: async () => {
      await end("SIGKILL");
      const leak = findLeakedSecret(settings, output);
      removeFolder(folder);
      if (leak !== undefined) throw new Error(leak);
    },
  };
}
