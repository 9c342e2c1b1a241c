import { Fault } from "../../rules/fault.ts";
import { numberedName } from "../../rules/numbered-name.ts";
import type { OnConflict } from "../../rules/on-conflict.ts";
import type { FolderRecord, Name, NewFile } from "../../rules/records.ts";
import { nameTaken, takenNames } from "../taken-names.ts";
import type { Tx } from "../tx.ts";
import { lockFilesNamed } from "./file-locks.ts";

export interface Settled {
  /** To be added, under names that are free. In the order given, as the files to be replaced are. */
  readonly added: readonly NewFile[];
  readonly replacing: readonly NewFile[];
}

/** Numbers that are tried with one query. */
const TRIES = 32;

/** What becomes of each file in a folder that is there. Fault "conflict": a name is taken. */
export async function settleNames(
  tx: Tx,
  folder: FolderRecord,
  files: readonly NewFile[],
  onConflict: OnConflict,
): Promise<Settled> {
  const names = files.map(({ name }) => name);
  if (onConflict === "replace") await lockFilesNamed(tx, folder.id, names);
  const taken = await takenNames(tx.db, folder.id, names);
  const used = new Set(names);
  const added: NewFile[] = [];
  const replacing: NewFile[] = [];
  for (const file of files) {
    const holder = taken.get(file.name);
    if (holder === undefined) added.push(file);
    else if (onConflict === "replace" && holder === "file") replacing.push(file);
    else if (onConflict === "keepBoth") {
      const name = await freeName(tx, folder, file.name, used);
      used.add(name);
      added.push({ ...file, name });
    } else if (onConflict !== "skip") throw nameTaken(holder, file.name);
  }
  return { added, replacing };
}

/** The first free name with a number, which is also none of `used`. */
async function freeName(
  tx: Tx,
  folder: FolderRecord,
  name: Name,
  used: ReadonlySet<Name>,
): Promise<Name> {
  for (let from = 2; from < 100_000; from += TRIES) {
    const tries = Array.from({ length: TRIES }, (_, at) => numberedName(name, from + at));
    const taken = await takenNames(tx.db, folder.id, tries);
    const free = tries.find((each) => !taken.has(each) && !used.has(each));
    if (free !== undefined) return free;
  }
  throw new Fault("conflict", `There are too many files like "${name}" in this folder.`);
}
