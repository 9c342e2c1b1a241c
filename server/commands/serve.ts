import { type App, createApp } from "../app.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { SAFE_SECRET_LENGTH } from "../config/safe-secret-length.ts";
import type { StartupInfo } from "../instance/startup-info.ts";
import { createLog, type Log } from "../log.ts";
import { createSupervisor } from "../workers/supervisor.ts";
import { UsageError } from "./usage-error.ts";

/** By then what the start needed is garbage. */
export const SETTLED_MS = 1000;

/** How long requests under way may take once the server has been told to stop. */
export const GRACE_MS = 25_000;

/** Serves until SIGTERM or SIGINT, then lets the requests under way finish. */
export async function serveCommand(config: Config, rest: readonly string[]): Promise<void> {
  if (rest.length > 0) throw new UsageError("`serve` takes no arguments.");
  const log = createLog(config.logLevel);
  if (config.authSecret !== null && config.authSecret.length < SAFE_SECRET_LENGTH) {
    log.warn(
      `AUTH_SECRET has fewer than ${SAFE_SECRET_LENGTH} characters: whoever holds one signed URL can try to guess it. It is refused when NODE_ENV is production.`,
    );
  }

  const { app, started } = await startApp(config, log).catch((error: unknown) => {
    throw explainListenError(config, error);
  });
  welcome(started);
  setTimeout(giveBack, SETTLED_MS).unref();

  let stoppedAt: number | undefined;
  const stop = async (signal: string): Promise<void> => {
    if (stoppedAt !== undefined) {
      // Whoever presses Ctrl-C again does not want to wait. npm sends each of them twice.
      if (signal === "SIGINT" && performance.now() > stoppedAt + 500) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    log.info(`${signal}: finishing the requests under way`);
    await app.stop(GRACE_MS);
    process.exit(0);
  };
  // A limit on the size of files is a full disk to us: the write fails, the process goes on.
  process.on("SIGXFSZ", () => {});
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void stop(signal));
  }
}

async function startApp(config: Config, log: Log): Promise<{ app: App; started: StartupInfo }> {
  const app = await (config.workers > 1 ? createSupervisor : createApp)(config, log);
  return { app, started: await app.start() };
}

/** Memory that only the start needed goes back to the system: two megabytes of eighty. */
export function giveBack(): void {
  Bun.gc(true);
  Bun.shrink();
}

function explainListenError(config: Config, error: unknown): unknown {
  // What may not be read in the data folder has the same codes, and names the file.
  const isOfPort = error instanceof Error && "syscall" in error && error.syscall === "listen";
  const code = isOfPort && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new ConfigError(
      `PORT is "${config.port}", but another program uses it: choose another.`,
    );
  }
  if (code === "EACCES") {
    return new ConfigError(`PORT is "${config.port}", but must be one this user may use.`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EINVAL") {
    return new ConfigError(`HOST is "${config.host}", but must be an address of this machine.`);
  }
  return error;
}

/** How this program is called: only the executable has files embedded. */
const PROGRAM = Bun.embeddedFiles.length > 0 ? process.execPath : "npm run --silent holdall";

/** Says what to do next, for as long as there is something to do. */
function welcome({ localUrl, url, setupUrl, hasKeys }: StartupInfo): void {
  const reached = url === localUrl ? "" : `, reached at ${url}`;
  const lines = [`Holdall serves on ${localUrl}${reached}`];
  if (setupUrl !== null) {
    lines.push("", "Create the administrator's account, once:", `  ${setupUrl}`);
  }
  if (!hasKeys) {
    lines.push(
      "",
      "Or without a browser: make an API key, then upload and open a file:",
      `  ${PROGRAM} keys create first`,
      `  curl -H "API-Key: <the key>" -F files=@photo.jpg ${url}/api/files`,
      `  curl ${url}/api/hosting/photo.jpg -o copy.jpg`,
    );
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
