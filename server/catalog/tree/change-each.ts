import { Fault } from "../../domain/faults/fault.ts";
import { rejectC1 } from "../../domain/names/name.ts";
import type { FileRecord, Name, Visibility } from "../../domain/records.ts";
import type { MetadataPatch } from "../../semantics/file-metadata.ts";
import type { Tx } from "../engine/tx.ts";
import { noTarget } from "../folders/folder-path.ts";
import { noSuchFile, recordPropertyChanges, withProperties } from "./change-file.ts";
import { lockInFolders } from "./lock-selected.ts";
import { type IncomingFile, type Place, placeFiles, type RejectedFile } from "./place-files.ts";
import { updateProperties } from "./update-files.ts";

/** The new properties of a file; one that is left out stays as it is. */
export interface EachChange {
  readonly id: string;
  readonly folderId?: string | undefined;
  readonly name?: Name | undefined;
  readonly visibility?: Visibility | undefined;
  readonly metadata?: MetadataPatch | null | undefined;
}

/**
 * Changes files, each in a different way. Returns the faults of those that stay as they are, by their ids. The files
 * are distinct, and none takes a name that another one gives up.
 */
export async function changeEach(
  tx: Tx,
  changes: readonly EachChange[],
): Promise<ReadonlyMap<string, Fault>> {
  const ids = changes.map(({ id }) => id);
  const targets = changes.flatMap(({ folderId }) => folderId ?? []);
  const { found, folders, inside } = await lockInFolders(tx, ids, targets);
  const faults = new Map<string, Fault>();

  /** undefined: a fault is noted. */
  function attempt<T>(id: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.set(id, error);
      return undefined;
    }
  }

  const ready = changes.flatMap(
    (change) =>
      attempt(change.id, () => {
        const file = found.get(change.id);
        if (file === undefined || !inside.has(file.folderId)) throw noSuchFile();
        const { folderId = file.folderId, name = file.name } = change;
        if (!inside.has(folderId)) throw noTarget();
        if (name !== file.name) rejectC1(name);
        return { file, change, folderId, name };
      }) ?? [],
  );
  const places = new Map<string, Place | RejectedFile | "skipped">();
  for (const [folderId, arrivals] of arrivalsOf(ready)) {
    const folder = folders.get(folderId);
    if (folder === undefined) continue;
    const placed = await placeFiles(tx, folder, arrivals, {});
    for (const [id, place] of placed.places) places.set(id, place);
  }
  const changed: { readonly before: FileRecord; readonly after: FileRecord }[] = [];
  for (const { file, change, folderId } of ready) {
    const after = attempt(file.id, () => {
      const place = places.get(file.id) ?? file;
      if (place === "skipped") return file;
      if ("fault" in place) throw place.fault;
      return withProperties(tx, file, { ...change, folderId, place });
    });
    if (after !== undefined && after !== file) changed.push({ before: file, after });
  }
  await updateProperties(
    tx,
    changed.map(({ after }) => after),
  );
  await recordPropertyChanges(tx, changed);
  return faults;
}

interface ReadyFile extends IncomingFile {
  readonly folderId: string;
}

/** The files that get another place, by their new folders. */
function arrivalsOf(ready: readonly ReadyFile[]): Map<string, IncomingFile[]> {
  const arrivals = new Map<string, IncomingFile[]>();
  for (const { file, folderId, name } of ready) {
    if (folderId === file.folderId && name === file.name) continue;
    const others = arrivals.get(folderId);
    if (others === undefined) arrivals.set(folderId, [{ file, name }]);
    else others.push({ file, name });
  }
  return arrivals;
}
