import { quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { HealthDetails } from "../../../../sdk/src/holdall.ts";

/** A command for a shell in the program's folder on the server, which works on this instance. */
export function serverCommand({ dataPath }: Pick<HealthDetails, "dataPath">, args: string): string {
  const assignment = dataPath === null ? "" : `DATA_PATH=${quoteIfNeeded(dataPath)} `;
  return `${assignment}npm run holdall -- ${args}`;
}
