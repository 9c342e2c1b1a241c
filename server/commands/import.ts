import { UsageError } from "../terminal/usage-error.ts";
import type { CommandCall } from "./command.ts";

/** `import PATH` and `import s3://BUCKET[/PREFIX]`. */
export async function importCommand({ rest, options, ...call }: CommandCall): Promise<void> {
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
