import { resolve } from "node:path";
import { createService } from "../app.ts";
import { SAFE_SECRET_LENGTH, WEAK_S3_SECRET } from "../config/advice/examine-secrets.ts";
import { commandLine } from "../config/command-line.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { isWeakS3Secret } from "../config/initial-s3.ts";
import { AddressError } from "../domain/listen-address.ts";
import type { StartupInfo } from "../instance/startup-info.ts";
import { createLog, type Log } from "../log.ts";
import { ownCommand } from "../runtime/processes.ts";
import { UsageError } from "../terminal/usage-error.ts";
import type { App } from "../workers/service.ts";
import { createSingleProcess } from "../workers/single-process.ts";
import { createSupervisor } from "../workers/supervisor.ts";
import { shutDownOnSignals } from "./shutdown.ts";

/** `serve`: serves until SIGTERM or SIGINT, then waits for pending requests. */
export async function serveCommand(config: Config, rest: readonly string[]): Promise<void> {
  if (rest.length > 0) throw new UsageError("`serve` takes no arguments.");
  const log = createLog(config.logLevel);
  if (config.authSecret !== null && config.authSecret.length < SAFE_SECRET_LENGTH) {
    log.warn(
      `AUTH_SECRET has fewer than ${SAFE_SECRET_LENGTH} characters: anybody with one signed URL can try to guess it. With NODE_ENV=production, the server refuses it.`,
    );
  }
  if (config.minioNames.length > 0) {
    log.info(`Settings of MinIO are used: ${config.minioNames.join(", ")}.`);
  }
  if (config.initialS3 !== null && isWeakS3Secret(config.initialS3.secretAccessKey)) {
    log.warn(`INITIAL_S3_SECRET_KEY ${WEAK_S3_SECRET}`);
  }

  const { app, started } = await startApp(config, log).catch((error: unknown) => {
    throw explainListenError(config, error);
  });

  shutDownOnSignals(app, log);
  // The address is printed last: a program that waits for it may send a signal at once.
  welcome(started, config);
}

async function startApp(config: Config, log: Log): Promise<{ app: App; started: StartupInfo }> {
  const app =
    config.workers > 1
      ? await createSupervisor(config, log)
      : await createSingleProcess(config, log, createService);
  return { app, started: await app.start() };
}

function explainListenError(config: Config, error: unknown): unknown {
  if (error instanceof AddressError) return new ConfigError(error.message);
  // Errors of the data folder have the same codes, but another syscall.
  const isListenError = error instanceof Error && "syscall" in error && error.syscall === "listen";
  const code = isListenError && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new ConfigError(
      `PORT is "${config.port}", but another program uses it: choose another port.`,
    );
  }
  if (code === "EACCES") {
    return new ConfigError(`PORT is "${config.port}", but must be a port that this user may use.`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EINVAL") {
    return new ConfigError(`HOST is "${config.host}", but must be an address of this machine.`);
  }
  return error;
}

/** Prints the addresses and, until the instance is set up, what to do next. */
function welcome({ localUrl, url, setupUrl, hasKeys }: StartupInfo, config: Config): void {
  const available = url === localUrl ? "" : `, available at ${url}`;
  const lines = [
    `Holdall serves on ${localUrl}${available}`,
    `The data is in ${resolve(config.dataPath)}`,
  ];
  if (config.s3Port !== null) lines.push(`The S3 API is on port ${config.s3Port}`);
  if (setupUrl !== null) {
    lines.push("", "Create the administrator account:", `  ${setupUrl}`);
  }
  if (!hasKeys) {
    lines.push(
      "",
      "Or without a browser: create an API key, then upload and download a file:",
      `  ${commandLine(config, "keys create first", ownCommand)}`,
      `  curl -f -H "API-Key: <the key>" -F files=@photo.jpg ${url}/api/files`,
      // With the key, because the default visibility may be private.
      `  curl -f -H "API-Key: <the key>" ${url}/api/hosting/photo.jpg -o copy.jpg`,
    );
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
