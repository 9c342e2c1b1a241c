import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { importFrom } from "../instance/transfers.ts";
import { parseKey } from "../rules/name.ts";
import { parseVisibility } from "../rules/visibility.ts";
import { bytesText, countText } from "./amounts.ts";
import { runTransfer } from "./run-transfer.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `import PATH [--folder KEY] [--visibility V]`: works beside a running server. Ends with code 1
 * when anything is left out.
 */
export async function importCommand(
  config: Config,
  rest: readonly string[],
  options: { readonly folder: string | undefined; readonly visibility: string | undefined },
): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`import` takes the folder whose files are to be taken in.");
  }
  const { folder = "", visibility } = options;
  const request = {
    path: resolve(path),
    folder: parseKey(folder),
    visibility: visibility === undefined ? undefined : parseVisibility(visibility),
  };
  const done = await runTransfer("Importing", (watched) => importFrom(config, request, watched));
  const { takenIn, alreadyThere, conflicts, skipped } = done;
  console.log(
    [
      `Imported ${countText(takenIn.files, "file")} (${bytesText(takenIn.bytes)}); already there ${alreadyThere.files.toLocaleString("en")}; ${countText(conflicts, "conflict")}; skipped ${skipped.toLocaleString("en")}.`,
      ...(conflicts > 0 ? ["What is there already was left as it is: see the names above."] : []),
    ].join("\n"),
  );
}
