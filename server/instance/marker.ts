import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../fs/write-file-atomic.ts";

/** The file that makes a folder a data folder. */
export const MARKER = "holdall.json";

const LAYOUT = 1;

/** What a data folder says of itself. */
export interface Marker {
  /** The folder is a backup, or is filled from one or by a migration: of the instance whose root folder has this id. */
  readonly backupOf?: string;
  /** By what a catalog elsewhere knows the folder again, if one has its bytes here. */
  readonly disk?: string;
  /** It is not all there yet: which command must be run again. */
  readonly unfinished?: Unfinished;
  /** All of it is there, and only marks such as this one are left to be taken away. */
  readonly isWhole?: true;
}

const UNFINISHED = ["backup", "restore", "migration"] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/** undefined: there is none. Error: it cannot be read, or this version does not know the layout. */
export function readMarker(path: string): Marker | undefined {
  const file = join(path, MARKER);
  if (!existsSync(file)) return undefined;
  const { layout, backupOf, disk, unfinished, isWhole } = parse(path, readFileSync(file, "utf8"));
  const work = UNFINISHED.find((each) => each === unfinished);
  if (layout !== LAYOUT) {
    throw new Error(
      `${path} has layout ${String(layout)}, and this version of Holdall knows layout ${LAYOUT}.`,
    );
  }
  return {
    ...(typeof backupOf === "string" ? { backupOf } : {}),
    ...(typeof disk === "string" ? { disk } : {}),
    ...(work === undefined ? {} : { unfinished: work }),
    ...(isWhole === true ? { isWhole } : {}),
  };
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const { layout, backupOf, disk, unfinished, isWhole } = JSON.parse(text);
    return { layout, backupOf, disk, unfinished, isWhole };
  } catch {
    throw new Error(`${path} is no data folder of Holdall: its ${MARKER} cannot be read.`);
  }
}

export function writeMarker(path: string, marker: Marker): void {
  writeFileAtomic(join(path, MARKER), `${JSON.stringify({ layout: LAYOUT, ...marker })}\n`);
}
