import { Fault } from "../../domain/faults/fault.ts";
import { numberedFolderName, numberedName } from "../../domain/names/numbered-name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { FolderRecord, Name } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { nameTaken } from "../records/taken-names.ts";
import { claimName, claimNames } from "../trash/claim-names.ts";

const NONE: ReadonlySet<Name> = new Set();

/** Both lists are in the order given. */
export interface ResolvedFiles<File> {
  /** To be added, under names that are free. */
  readonly added: readonly File[];
  /** Their content replaces that of the file with the same name. */
  readonly replacing: readonly File[];
}

/** Numbers tried with one query. */
const TRIES = 32;

/**
 * Applies `onConflict` to files that are added to an existing folder; skipped files are in neither
 * list. Files with these names must be locked if they may be replaced. Fault "conflict": a name is
 * taken.
 */
export async function resolveConflicts<File extends { readonly name: Name }>(
  tx: Tx,
  folder: FolderRecord,
  files: readonly File[],
  onConflict: OnConflict,
): Promise<ResolvedFiles<File>> {
  const names = files.map(({ name }) => name);
  const taken = await claimNames(tx, folder.id, names);
  if (taken.size === 0) return { added: files, replacing: [] };
  const used = new Set(names);
  const added: File[] = [];
  const replacing: File[] = [];
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

/** The name, or if it is taken, the first numbered name that is free. Fault "conflict": there are too many. */
export async function freeFolderName(tx: Tx, parent: FolderRecord, name: Name): Promise<Name> {
  if ((await claimName(tx, parent.id, name)) === undefined) return name;
  return firstFree(tx, parent, name, { numbered: numberedFolderName });
}

/**
 * The first numbered name that is neither taken nor in `used`; `own` is the name that the file has now, if
 * it is in the folder. Fault "conflict": there are too many.
 */
export const freeName = (
  tx: Tx,
  folder: FolderRecord,
  name: Name,
  used: ReadonlySet<Name>,
  own?: Name,
): Promise<Name> => firstFree(tx, folder, name, { numbered: numberedName, used, own });

async function firstFree(
  tx: Tx,
  folder: FolderRecord,
  name: Name,
  {
    numbered,
    used = NONE,
    own,
  }: {
    readonly numbered: typeof numberedName;
    readonly used?: ReadonlySet<Name>;
    readonly own?: Name | undefined;
  },
): Promise<Name> {
  for (let from = 2; from < 100_000; from += TRIES) {
    const tries = Array.from({ length: TRIES }, (_, at) => numbered(name, from + at));
    const taken = await claimNames(tx, folder.id, tries);
    const free = tries.find((each) => each === own || (!taken.has(each) && !used.has(each)));
    if (free !== undefined) return free;
  }
  throw new Fault("conflict", `There are too many files like "${name}" in this folder.`, {
    code: "name_taken",
    details: { name },
  });
}
