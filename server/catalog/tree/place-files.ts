import { Fault } from "../../domain/faults/fault.ts";
import { childKey } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { OnConflictOptions } from "../port/file-tree.ts";
import { type Holder, nameTaken } from "../records/taken-names.ts";
import { claimNames } from "../trash/claim-names.ts";
import { trashFiles } from "../trash/trash-files.ts";
import { removeFiles } from "./remove-files.ts";
import { freeName } from "./resolve-conflicts.ts";

/** A file that moves to a folder, and the name that it is to have there. */
export interface IncomingFile {
  readonly file: Pick<FileRecord, "id" | "folderId" | "name">;
  readonly name: Name;
}

export interface Place {
  readonly name: Name;
  readonly key: Key;
}

/** Why a file stays where it is. */
export interface RejectedFile {
  readonly fault: Fault;
  /** What has the name; undefined: the fault is another one. */
  readonly holder: Holder | undefined;
}

export interface PlacedFiles {
  /** By the ids of the files, each of which is here. */
  readonly places: ReadonlyMap<string, Place | RejectedFile | "skipped">;
  /** The id of the deletion of the replaced files, if they are in the trash. */
  readonly undoId: string | undefined;
}

export interface PlaceOptions extends OnConflictOptions {
  /** The names of files in the folder that may not be replaced. */
  readonly kept?: ReadonlySet<Name> | undefined;
}

/**
 * Finds the places of files that move to a locked folder. Of files with the same name, the first one gets
 * it. Replaced files leave the folder here.
 */
export async function placeFiles(
  tx: Tx,
  folder: FolderRecord,
  arrivals: readonly IncomingFile[],
  options: PlaceOptions,
): Promise<PlacedFiles> {
  const { onConflict = "refuse", kept } = options;
  const names = arrivals.map(({ name }) => name);
  const taken = await claimNames(tx, folder.id, names);
  const used = new Set(names);
  const given = new Set<Name>();
  const replaced = new Set<Name>();
  const places = new Map<string, Place | RejectedFile | "skipped">();

  async function placeOf({
    file,
    name: wanted,
  }: IncomingFile): Promise<Place | RejectedFile | "skipped"> {
    const holder = given.has(wanted) ? "file" : taken.get(wanted);
    if (holder === undefined) return place(wanted);
    if (onConflict === "skip") return "skipped";
    if (onConflict === "keepBoth") {
      const own = file.folderId === folder.id ? file.name : undefined;
      const name = await freeName(tx, folder, wanted, used, own);
      used.add(name);
      return place(name);
    }
    const mayReplace = holder === "file" && !given.has(wanted) && kept?.has(wanted) !== true;
    if (onConflict !== "replace" || !mayReplace) {
      return { fault: nameTaken(holder, wanted), holder };
    }
    const replacing = place(wanted);
    replaced.add(wanted);
    return replacing;
  }

  function place(name: Name): Place {
    const key = childKey(folder.key, name);
    given.add(name);
    return { name, key };
  }

  for (const arrival of arrivals) {
    places.set(arrival.file.id, await placeOf(arrival).catch(refusalOf));
  }
  return { places, undoId: await clearNames(tx, folder, [...replaced], options) };
}

function refusalOf(error: unknown): RejectedFile {
  if (!(error instanceof Fault)) throw error;
  return { fault: error, holder: undefined };
}

/** Removes the files with these names. Returns the `undoId` if they are in the trash. */
async function clearNames(
  tx: Tx,
  folder: FolderRecord,
  names: readonly Name[],
  { trashReplacedMs }: PlaceOptions,
): Promise<string | undefined> {
  const ids: string[] = [];
  for (const chunk of chunks(names)) {
    const rows = await tx.db
      .selectFrom("files")
      .select("id")
      .where("folder_id", "=", folder.id)
      .where("name", "in", chunk)
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  if (ids.length === 0) return undefined;
  if (trashReplacedMs !== undefined) {
    return (await trashFiles(tx, { ids, keepMs: trashReplacedMs })).undoId;
  }
  await removeFiles(tx, ids);
  return undefined;
}
