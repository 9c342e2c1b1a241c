import { childKey, joinKey, keyNames, splitKey } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { nameColumns } from "../records/name-columns.ts";
import { selectFileRows } from "../records/select-records.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { freeName } from "../tree/resolve-conflicts.ts";
import { claimNames } from "./claim-names.ts";
import { deleteHiddenFolders } from "./hidden-folders.ts";
import { type RestoreLog, reportFailure } from "./restore-log.ts";
import type { RestorePaths } from "./restore-paths.ts";
import { placesOf } from "./trash-places.ts";

/** Moves files back into the tree. */
export async function restoreFiles(
  tx: Tx,
  items: readonly TrashItemsTable[],
  paths: RestorePaths,
  log: RestoreLog,
): Promise<void> {
  const groups = new Map<string, TrashItemsTable[]>();
  for (const item of items) {
    // Items from the same folder have the same place, unless its name was different and not remembered.
    const id = `${item.parent_ids}/${splitKey(item.key)?.folder}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [item]);
    else group.push(item);
  }
  const rows = await rowsOf(
    tx,
    items.map(({ subject_id }) => subject_id),
  );
  for (const group of groups.values()) {
    await reportFailure(log, group, async () => {
      // A group before this one may have made folders of this one's path.
      const [place] = await placesOf(tx, group.slice(0, 1));
      if (place === undefined) return;
      const path = await paths.find(place);
      const folderNames = [...keyNames(path.folder.key), ...path.missing.map(({ name }) => name)];
      const fitting: Row[] = [];
      for (const item of group) {
        const row = rows.get(item.subject_id);
        await reportFailure(log, [item], async () => {
          if (row === undefined) return;
          joinKey([...folderNames, row.name]);
          fitting.push(row);
        });
      }
      if (fitting.length === 0) return;
      const isForObjects = fitting.every(({ s3 }) => s3 !== null);
      await moveFiles(tx, fitting, await paths.make(path, isForObjects), log);
    });
  }
  await deleteHiddenFolders(
    tx,
    [...rows.values()].map(({ folderId }) => folderId),
  );
}

type Row = Omit<FileRecord, "key">;

async function rowsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const chunk of chunks(ids)) {
    const found = await selectFileRows(tx.db).where("files.id", "in", chunk).execute();
    for (const row of found) rows.set(row.id, row);
  }
  return rows;
}

async function moveFiles(
  tx: Tx,
  rows: readonly Row[],
  folder: FolderRecord,
  log: RestoreLog,
): Promise<void> {
  const names = rows.map(({ name }) => name);
  const taken = await claimNames(tx, folder.id, names);
  const used = new Set<Name>();
  const unavailable = new Set(names);
  const places = new Map<string, { name: Name; key: Key }>();
  for (const { id, name: oldName } of rows) {
    const isFree = !taken.has(oldName) && !used.has(oldName);
    await reportFailure(log, [{ subject_id: id }], async () => {
      const name = isFree ? oldName : await freeName(tx, folder, oldName, unavailable);
      const key = childKey(folder.key, name);
      used.add(name);
      unavailable.add(name);
      places.set(id, { name, key });
    });
  }
  await writePlaces(tx, rows, folder.id, places);
  for (const row of rows) {
    const place = places.get(row.id);
    if (place === undefined) continue;
    const file = { ...row, ...place, folderId: folder.id, updatedAt: tx.now };
    log.changes.push({ kind: "file.restored", file });
    log.restored.push({
      id: row.id,
      kind: "file",
      key: place.key,
      renamed: place.name !== row.name,
    });
  }
}

async function writePlaces(
  tx: Tx,
  rows: readonly Row[],
  folderId: string,
  places: ReadonlyMap<string, { readonly name: Name }>,
): Promise<void> {
  const place = { folder_id: folderId, updated_at: tx.now };
  const kept = rows.filter(({ id, name }) => places.get(id)?.name === name).map(({ id }) => id);
  for (const chunk of chunks(kept)) {
    await tx.db.updateTable("files").set(place).where("id", "in", chunk).execute();
  }
  for (const { id, name: oldName } of rows) {
    const name = places.get(id)?.name;
    if (name === undefined || name === oldName) continue;
    await tx.db
      .updateTable("files")
      .set({ ...place, ...nameColumns(name) })
      .where("id", "=", id)
      .execute();
  }
}
