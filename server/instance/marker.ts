import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../fs/write-file-atomic.ts";

/** The file that makes a folder a data folder. */
export const MARKER = "holdall.json";

const LAYOUT = 1;

/** The content of the marker. */
export interface Marker {
  /** The folder is a backup, or is being restored or migrated: the id of the instance's root folder. */
  readonly backupOf?: string;
  /** The id by which a catalog in a database recognises the data folder with its blobs. */
  readonly disk?: string;
  /** The folder is incomplete: the work that must be run again. */
  readonly unfinished?: Unfinished;
  /** The folder is a complete backup, into which another backup is being made, or was left unfinished. */
  readonly isRenewed?: true;
  /** The folder is complete; the unfinished work only has to be published. */
  readonly isWhole?: true;
  /** The folder has been in use: the id of the instance's root folder. */
  readonly instance?: string;
  /** The catalog has lost records: see `lost-records.ts`. */
  readonly lostRecords?: LossNote;
}

/** Since when the catalog is known to have lost records, and why. */
export interface LossNote {
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly reason: string;
}

const UNFINISHED = ["backup", "restore", "migration"] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/** undefined: the folder has no marker. Error: it cannot be read, or its layout is unknown. */
export function readMarker(path: string): Marker | undefined {
  const file = join(path, MARKER);
  if (!existsSync(file)) return undefined;
  const { layout, backupOf, disk, unfinished, isRenewed, isWhole, instance, lostRecords } = parse(
    path,
    readFileSync(file, "utf8"),
  );
  const work = UNFINISHED.find((each) => each === unfinished);
  if (layout !== LAYOUT) {
    throw new Error(
      `${path} has layout ${String(layout)}, but this version of Holdall only knows layout ${LAYOUT}.`,
    );
  }
  return {
    ...(typeof backupOf === "string" ? { backupOf } : {}),
    ...(typeof disk === "string" ? { disk } : {}),
    ...(work === undefined ? {} : { unfinished: work }),
    ...(isRenewed === true ? { isRenewed } : {}),
    ...(isWhole === true ? { isWhole } : {}),
    ...(typeof instance === "string" ? { instance } : {}),
    ...(lostRecords === undefined ? {} : { lostRecords: lossNote(lostRecords) }),
  };
}

function lossNote(value: unknown): LossNote {
  const { since, reason } = Object(value);
  return { since: String(since), reason: String(reason) };
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const { layout, backupOf, disk, unfinished, isRenewed, isWhole, instance, lostRecords } =
      JSON.parse(text);
    return { layout, backupOf, disk, unfinished, isRenewed, isWhole, instance, lostRecords };
  } catch {
    throw new Error(`${path} is not a data folder of Holdall: its ${MARKER} cannot be read.`);
  }
}

export function writeMarker(path: string, marker: Marker): void {
  writeFileAtomic(join(path, MARKER), `${JSON.stringify({ layout: LAYOUT, ...marker })}\n`);
}
