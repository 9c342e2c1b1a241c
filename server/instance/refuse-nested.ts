import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Error: the folders are the same, or one contains the other. They need not exist. */
export function refuseNested(path: string, dataPath: string): void {
  const [a, b] = [realPath(path), realPath(dataPath)];
  if (`${a}${sep}`.startsWith(`${b}${sep}`) || `${b}${sep}`.startsWith(`${a}${sep}`)) {
    throw new Error(
      `${path} and the data folder ${dataPath} must not contain each other: choose another path.`,
    );
  }
}

function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
