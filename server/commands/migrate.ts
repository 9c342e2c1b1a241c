import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Config, ConfigError } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import { bytesText, countText } from "./amounts.ts";
import { moveInstance } from "./move-instance.ts";
import { runTransfer } from "./run-transfer.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `migrate --to FILE`: carries the instance of the environment to where the variables in the file
 * say. Ends with code 1 when bytes are damaged.
 */
export async function migrateCommand(
  config: Config,
  rest: readonly string[],
  file: string | undefined,
): Promise<void> {
  if (rest.length > 0 || file === undefined) {
    throw new UsageError("`migrate` takes --to FILE, a file with the variables of the new place.");
  }
  const to = readTarget(file);
  const done = await runTransfer("Copying", (report) => moveInstance(config, to, report));
  const { copied, alreadyThere, damaged, checked, rows } = done;
  const number = (count: number): string => count.toLocaleString("en");
  console.log(
    [
      `Moved ${countText(rows.files, "file")} in ${countText(rows.folders, "folder")}.`,
      `Copied ${countText(copied.files, "file")} (${bytesText(copied.bytes)}), already there ${number(alreadyThere.files)}; read again and right: ${number(checked.files)} (${bytesText(checked.bytes)}).`,
      `The catalogs are alike, row by row: ${[
        countText(rows.accounts, "account"),
        countText(rows.sessions, "session"),
        countText(rows.api_keys, "API key"),
        countText(rows.settings, "setting"),
        countText(rows.activity, "event"),
        countText(rows.traffic, "hour"),
      ].join(", ")} of traffic beside the files and folders.`,
      ...(damaged > 0
        ? [
            `Damaged here, so that only the record was moved: ${countText(damaged, "file")}. See the names above.`,
          ]
        : []),
      ...(done.invalidatesLinks
        ? [
            `AUTH_SECRET in ${file} is not the one of this instance: links that were signed with it end.`,
          ]
        : []),
      `Start the server with what is in ${file}. This instance is as it was: do not serve both.`,
    ].join("\n"),
  );
}

/** What is in the file alone, so that nothing of this instance gets into the new one's place. */
function readTarget(file: string): Config {
  const env = parseEnv(readText(file));
  if (!env.DATA_PATH?.trim()) throw new Error(`${file} must say where DATA_PATH is to be.`);
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
