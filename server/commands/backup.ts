import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { backUp } from "../instance/transfers.ts";
import { timestamp } from "../rules/timestamp.ts";
import { bytesText, countText } from "./amounts.ts";
import { runTransfer } from "./run-transfer.ts";
import { UsageError } from "./usage-error.ts";

/** `backup PATH`: works beside a running server. Ends with code 1 when bytes are damaged. */
export async function backupCommand(config: Config, rest: readonly string[]): Promise<void> {
  const [path] = rest;
  if (path === undefined || rest.length > 1) {
    throw new UsageError("`backup` takes the folder that the backup is kept in.");
  }
  const done = await runTransfer("Backing up", (watched) => backUp(config, resolve(path), watched));
  const { copied, alreadyThere, damaged, removed } = done;
  const files = copied.files + alreadyThere.files;
  const bytes = copied.bytes + alreadyThere.bytes;
  console.log(
    [
      `Backed up ${countText(files, "file")} (${bytesText(bytes)}) as of ${timestamp(done.asOf)} UTC.`,
      `Copied ${countText(copied.files, "file")} (${bytesText(copied.bytes)}), already there ${alreadyThere.files.toLocaleString("en")}, removed ${removed.toLocaleString("en")} of deleted files.`,
      ...(damaged > 0 ? [`Damaged and left out: ${countText(damaged, "file")}.`] : []),
      ...(config.authSecret === null
        ? []
        : ["AUTH_SECRET comes from the environment: keep it with the backup."]),
    ].join("\n"),
  );
}
