import { Fault } from "../../rules/fault.ts";
import { childKey } from "../../rules/name.ts";
import type { FileRecord, FolderRecord } from "../../rules/records.ts";
import type { TreeChange } from "../../rules/tree-change.ts";
import { chunks } from "../chunks.ts";
import type { FilesChange, FilesChanged } from "../port/file-tree.ts";
import { type Holder, nameTaken, takenNames } from "../queries/taken-names.ts";
import type { Tx } from "../tx.ts";
import { noTarget } from "./folder-path.ts";
import { lockSelected } from "./lock-selected.ts";
import { recordChanges } from "./record-changes.ts";

export async function changeFiles(tx: Tx, input: FilesChange): Promise<FilesChanged> {
  const { files, target } = await lockSelected(tx, { ...input, noTarget });
  const { places, failed } = await findPlaces(tx, files, target);
  const changed: FileRecord[] = [];
  const ids: string[] = [];
  const changes: TreeChange[] = [];
  for (const { file, place } of places) {
    const visibility = input.visibility ?? file.visibility;
    const moves = place.folderId !== file.folderId;
    if (!moves && visibility === file.visibility) {
      changed.push(file);
      continue;
    }
    const record = { ...file, ...place, visibility, updatedAt: tx.now };
    changed.push(record);
    ids.push(record.id);
    changes.push(
      moves
        ? { kind: "file.moved", file: record, fromKey: file.key }
        : { kind: "file.updated", file: record },
    );
  }
  for (const chunk of chunks(ids)) {
    await tx.db
      .updateTable("files")
      .set({
        ...(target === undefined ? {} : { folder_id: target.id }),
        ...(input.visibility === undefined ? {} : { visibility: input.visibility }),
        updated_at: tx.now,
      })
      .where("id", "in", chunk)
      .execute();
  }
  await recordChanges(tx, changes);
  return { changed, failed };
}

interface Placed {
  readonly file: FileRecord;
  readonly place: Pick<FileRecord, "folderId" | "key">;
}

/** Where each file will be. Of files with the same name, the first one gets it. */
async function findPlaces(
  tx: Tx,
  files: readonly FileRecord[],
  target: FolderRecord | undefined,
): Promise<{ places: Placed[]; failed: FilesChanged["failed"] }> {
  const stays = ({ folderId }: FileRecord): boolean =>
    target === undefined || folderId === target.id;
  const names = files.filter((file) => !stays(file)).map(({ name }) => name);
  const taken: Map<string, Holder> =
    target === undefined ? new Map() : await takenNames(tx, target.id, names);
  const places: Placed[] = [];
  const failed: { id: string; message: string }[] = [];
  for (const file of files) {
    if (target === undefined || stays(file)) {
      places.push({ file, place: file });
      continue;
    }
    try {
      const key = childKey(target.key, file.name);
      const holder = taken.get(file.name);
      if (holder !== undefined) throw nameTaken(holder, file.name);
      taken.set(file.name, "file");
      places.push({ file, place: { folderId: target.id, key } });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failed.push({ id: file.id, message: error.message });
    }
  }
  return { places, failed };
}
