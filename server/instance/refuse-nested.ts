import { isInside } from "./is-inside.ts";

/** Error: the folders are the same, or one contains the other. They need not exist. */
export function refuseNested(path: string, dataPath: string): void {
  if (isInside(path, dataPath) || isInside(dataPath, path)) {
    throw new Error(
      `${path} and the data folder ${dataPath} must not contain each other: choose another path.`,
    );
  }
}
