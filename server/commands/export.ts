import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { exportTo } from "../instance/transfers.ts";
import { parseKey } from "../rules/name.ts";
import { bytesText, countText } from "./amounts.ts";
import { runTransfer } from "./run-transfer.ts";
import { UsageError } from "./usage-error.ts";

/** `export PATH [--folder KEY]`: works beside a running server. Ends with code 1 when anything is left out. */
export async function exportCommand(
  config: Config,
  rest: readonly string[],
  folder = "",
): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`export` takes the folder that the files are to be written into.");
  }
  const target = { path: resolve(path), folder: parseKey(folder) };
  const done = await runTransfer("Exporting", (watched) => exportTo(config, target, watched));
  const { written, alreadyThere, folders, leftOut } = done;
  console.log(
    [
      `Exported ${countText(written.files, "file")} (${bytesText(written.bytes)}) to ${target.path}; already there ${alreadyThere.files.toLocaleString("en")}; ${countText(folders, "folder")} in all.`,
      ...(leftOut > 0 ? [`Left out: ${leftOut.toLocaleString("en")}, see above.`] : []),
    ].join("\n"),
  );
}
