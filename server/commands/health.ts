import type { Config } from "../config/config.ts";
import { requireInstance } from "../instance/data-folder.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { localHostOf } from "./local-host-of.ts";

const TIMEOUT_MS = 10_000;

/**
 * `health`: asks the local server whether it is ready, for containers without curl. Prints the
 * response. Returns the exit code: 0 if it is ready, 1 if it is not or does not respond.
 */
export async function healthCommand(config: Config, rest: readonly string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError("`health` takes no arguments.");
  requireInstance(config.dataPath);
  const url = `http://${localHostOf(config.host)}:${config.port}/api/health/ready`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    console.log(await response.text());
    return response.ok ? 0 : 1;
  } catch (cause) {
    // MinIO's `--console-address`, which this command does not know, moves the site to another port.
    if (config.s3Port !== null && (await isS3Ready(config.host, config.s3Port))) return 0;
    console.error(`No response from ${url}: ${cause instanceof Error ? cause.message : cause}`);
    return 1;
  }
}

async function isS3Ready(host: string, port: number): Promise<boolean> {
  const url = `http://${localHostOf(host)}:${port}/minio/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (response?.ok === true) console.log(`Ready: ${url}`);
  return response?.ok === true;
}
