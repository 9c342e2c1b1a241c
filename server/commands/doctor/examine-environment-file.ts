import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Advice, wrong } from "./advice.ts";

const SECRET =
  /^[ \t]*(?:export[ \t]+)?(?:\w*(?:SECRET|PASSWORD|KEY)|DATABASE_URL|REDIS_URL)[ \t]*=[ \t]*\S/m;

/** Variables may come from a file in the folder in which commands are run, and secrets be among them. */
export function examineEnvironmentFile(folder: string): Advice[] {
  const path = join(folder, ".env");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return [];
  if (!SECRET.test(readFileSync(path, "utf8"))) return [];
  return [wrong(`Other users can read ${path}, which holds secrets.`, `Run: chmod 600 ${path}`)];
}
