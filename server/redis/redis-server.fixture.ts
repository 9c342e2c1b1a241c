import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { isMissing } from "../../test/reason-to-skip.fixture.ts";

/*
 * A real Redis. Its program comes from Debian's package: see `scripts/redis.mjs`, which puts it where
 * it can be found.
 */

export interface RedisServer {
  /** With its password. */
  readonly url: string;
  readonly port: number;
  readonly password: string;
  /** kill -9. */
  kill(): Promise<void>;
  /** Stops it in the middle of whatever it does; it keeps its connections and is silent. */
  hang(): void;
  goOn(): void;
  /** Again, on the same port, with nothing in it. */
  start(): Promise<void>;
}

/** Where the package was unpacked: as the test run says, or an earlier one has left it. */
const UNPACKED = join(import.meta.dir, "../../node_modules/.cache/redis");
const ROOT = process.env.HOLDALL_REDIS ?? (existsSync(UNPACKED) ? UNPACKED : "");
const PROGRAM = ROOT === "" ? Bun.which("redis-server") : join(ROOT, "usr/bin/redis-server");
const LIB = `${ROOT}/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Whether this machine has the program. Tests are skipped where it has not. */
export const hasRedis = !isMissing("redis-server", PROGRAM !== null);

/** One of its own for each who asks, since tests kill it. */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  if (PROGRAM === null) throw new Error("There is no Redis on this machine.");
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
    endAfterUs(started, port, folder);
    await answering(port);
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
    hang: () => void child?.kill("SIGSTOP"),
    goOn: () => void child?.kill("SIGCONT"),
    start,
  };
}

/** When this process is gone, however that came, ends the server and removes its folder. */
function endAfterUs({ pid }: ChildProcess, port: number, folder: string): void {
  // The number may be another process's by then; a Redis tells its port as its title.
  const script = `cat > /dev/null; grep -q ':${port}' /proc/${pid}/cmdline 2> /dev/null && kill -9 ${pid}; rm -rf '${folder}'`;
  const keeper = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  keeper.unref();
}

async function answering(port: number): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
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
