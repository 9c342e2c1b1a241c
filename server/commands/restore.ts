import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { restoreFrom } from "../instance/transfers.ts";
import { bytesText, countText } from "./amounts.ts";
import { runTransfer } from "./run-transfer.ts";
import { UsageError } from "./usage-error.ts";

/** `restore PATH`: fills an empty data folder. Ends with code 1 when bytes are damaged. */
export async function restoreCommand(config: Config, rest: readonly string[]): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`restore` takes the folder that the backup is in.");
  }
  const done = await runTransfer("Restoring", (watched) =>
    restoreFrom(config, resolve(path), watched),
  );
  const { copied, alreadyThere, damaged } = done;
  const files = copied.files + alreadyThere.files;
  const bytes = copied.bytes + alreadyThere.bytes;
  console.log(
    [
      `Restored ${countText(files, "file")} (${bytesText(bytes)}) into ${config.dataPath}.`,
      ...(alreadyThere.files > 0
        ? [`An earlier try had restored ${alreadyThere.files.toLocaleString("en")} of them.`]
        : []),
      ...(damaged > 0
        ? [`Damaged in the backup and left out: ${countText(damaged, "file")}.`]
        : []),
    ].join("\n"),
  );
}
