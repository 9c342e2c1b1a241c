import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Advice, error } from "../../config/advice.ts";

const SECRET =
  /^[ \t]*(?:export[ \t]+)?(?:\w*(?:SECRET|PASSWORD|KEY)|DATABASE_URL|REDIS_URL)[ \t]*=[ \t]*\S/m;

/** Examines the .env file in the working folder, which may contain secrets. */
export function examineEnvironmentFile(folder: string): Advice[] {
  const path = join(folder, ".env");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return [];
  if (!SECRET.test(readFileSync(path, "utf8"))) return [];
  return [error(`Other users can read ${path}, which contains secrets.`, `Run: chmod 600 ${path}`)];
}
