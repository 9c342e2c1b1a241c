import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Config, ConfigError } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { moveInstance } from "./move-instance.ts";
import type { Options } from "./read-arguments.ts";
import { runTransfer } from "./run-transfer.ts";

/**
 * `migrate --to FILE`: moves the instance to the stores that the variables in FILE configure. Exit code
 * 1: some files are damaged.
 */
export async function migrateCommand(
  config: Config,
  rest: readonly string[],
  { to: file }: Options,
): Promise<void> {
  if (rest.length > 0 || file === undefined) {
    throw new UsageError(
      "`migrate` takes --to FILE, a file with the variables of the new instance.",
    );
  }
  const to = readTarget(file);
  const result = await runTransfer("Copying", (report) => moveInstance(config, to, report));
  const { copied, existing, damaged, checked, rows } = result;
  const number = (count: number): string => count.toLocaleString("en");
  console.log(
    [
      `Moved ${countText(rows.files, "file")} in ${countText(rows.folders, "folder")}.`,
      `Copied ${countText(copied.files, "file")} (${bytesText(copied.bytes)}), kept ${number(existing.files)}; read again and verified: ${number(checked.files)} (${bytesText(checked.bytes)}).`,
      `The catalogs are equal, row by row: ${[
        countText(rows.accounts, "account"),
        countText(rows.sessions, "session"),
        countText(rows.api_keys, "API key"),
        countText(rows.settings, "setting"),
        countText(rows.activity, "event"),
        countText(rows.counters, "counter"),
      ].join(", ")} of requests, besides the files and folders.`,
      ...(damaged > 0
        ? [
            `Damaged here, so that only the record was moved: ${countText(damaged, "file")}, see above.`,
          ]
        : []),
      ...(result.invalidatesLinks
        ? [
            `AUTH_SECRET in ${file} differs from that of this instance: its signed URLs become invalid.`,
          ]
        : []),
      `Start the server with the variables in ${file}. This instance was not changed: do not serve both.`,
    ].join("\n"),
  );
}

/** Reads only the file, so that no variable of this instance applies to the new one. */
function readTarget(file: string): Config {
  const env = parseEnv(readText(file));
  if (!env.DATA_PATH?.trim()) throw new Error(`${file} must set DATA_PATH.`);
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) throw new Error(`In ${file}: ${error.message}`);
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`--to is "${file}", which cannot be read: ${why}.`);
  }
}
