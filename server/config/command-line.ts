import { quoteIfNeeded } from "../../contract/text/quote-shell.ts";
import type { Config } from "./config.ts";
import { dataPath as variable } from "./data-path.ts";

/** The value of `DATA_PATH` that commands need to find this instance. null: the default. */
export const givenDataPath = ({ dataPath }: Pick<Config, "dataPath">): string | null =>
  dataPath === variable.unset ? null : dataPath;

/**
 * A command of this program for a shell on the server. It works on this instance, also if the shell lacks the
 * server's `DATA_PATH`.
 */
export function commandLine(
  config: Pick<Config, "dataPath">,
  args: string,
  program = "holdall",
): string {
  const dataPath = givenDataPath(config);
  const assignment = dataPath === null ? "" : `DATA_PATH=${quoteIfNeeded(dataPath)} `;
  return `${assignment}${program} ${args}`;
}
