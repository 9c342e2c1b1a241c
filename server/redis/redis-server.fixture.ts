import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { isMissing } from "../../test/reason-to-skip.fixture.ts";

/* A real Redis server. `scripts/redis.mjs` unpacks it from Debian's package. */

export interface RedisServer {
  /** With the password. */
  readonly url: string;
  readonly port: number;
  readonly password: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections open and does not reply. */
  suspend(): void;
  resume(): void;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

/** Where the package was unpacked, by this test run or an earlier one. */
const UNPACKED = join(import.meta.dir, "../../node_modules/.cache/redis");
const ROOT = process.env.HOLDALL_REDIS ?? (existsSync(UNPACKED) ? UNPACKED : "");
const PROGRAM = ROOT === "" ? Bun.which("redis-server") : join(ROOT, "usr/bin/redis-server");
const LIB = `${ROOT}/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Whether this machine has Redis; tests of Redis are skipped otherwise. */
export const hasRedis = !isMissing("redis-server", PROGRAM !== null);

/** Starts a server for the caller alone, because tests kill it. */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  if (PROGRAM === null) throw new Error("Redis is not installed on this machine.");
  const program = PROGRAM;
  const folder = mkdtempSync(join(tmpdir(), "holdall-redis-"));
  const port = await freePort();
  const password = "redis-password-Xq7";
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(
      program,
      [
        ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
        ...["--appendonly", "no", "--requirepass", password, ...options],
      ],
      {
        stdio: "ignore",
        env: ROOT === "" ? process.env : { ...process.env, LD_LIBRARY_PATH: LIB },
      },
    );
    child = started;
    killAfterExit(started, port, folder);
    await untilListening(port);
  }

  await start();
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    port,
    password,
    async kill() {
      const ending = child;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      ending.kill("SIGKILL");
      await once(ending, "exit");
    },
    suspend: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    start,
  };
}

/** When this process ends, for whatever reason, kills the server and removes its folder. */
function killAfterExit({ pid }: ChildProcess, port: number, folder: string): void {
  // The pid may belong to another process by then; Redis shows its port in its command line.
  const script = `cat > /dev/null; grep -q ':${port}' /proc/${pid}/cmdline 2> /dev/null && kill -9 ${pid}; rm -rf '${folder}'`;
  const watcher = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
}

async function untilListening(port: number): Promise<void> {
  for (let round = 0; round < 2000; round += 1) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen === true) return;
    await Bun.sleep(50);
  }
  throw new Error("Redis did not start.");
}
