import { UsageError } from "../terminal/usage-error.ts";
import type { CommandCall } from "./command.ts";

/** `import PATH`, `import s3://BUCKET[/PREFIX]` and `import --from-vaze FOLDER`. */
export async function importCommand({ rest, options, ...call }: CommandCall): Promise<void> {
  const { "from-vaze": vaze, "dry-run": isDryRun = false, ...others } = options;
  if (vaze !== undefined) {
    const [other] = Object.keys(others);
    if (other !== undefined || rest.length > 0) {
      throw new UsageError("`import --from-vaze FOLDER` takes only --dry-run besides.");
    }
    const { importVazeCommand } = await import("./import-vaze.ts");
    return importVazeCommand(await call.config(), vaze, isDryRun);
  }
  const [from] = rest;
  if (from === undefined || rest.length > 1) {
    throw new UsageError("`import` takes the folder with the files to import, or s3://BUCKET.");
  }
  if (!from.startsWith("s3://")) {
    const { importFolder } = await import("./import-folder.ts");
    return importFolder(await call.config(), from, options);
  }
  const { importBucketCommand } = await import("./import-bucket.ts");
  return importBucketCommand(call, from, options);
}
