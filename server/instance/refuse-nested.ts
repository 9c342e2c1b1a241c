import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Error: the folders are the same, or one contains the other. They need not exist. */
export function refuseNested(path: string, dataPath: string): void {
  if (isInside(path, dataPath) || isInside(dataPath, path)) {
    throw new Error(
      `${path} and the data folder ${dataPath} must not contain each other: choose another path.`,
    );
  }
}

/** Whether `path` is `folder` or below it, with links resolved. They need not exist. */
export function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
