import { Fault } from "../../domain/faults/fault.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolder } from "../folders/folder-path.ts";
import { nameTaken } from "../records/taken-names.ts";

export async function createFolder(tx: Tx, key: Key): Promise<FolderRecord> {
  const { folder, created } = await ensureFolder(tx, key);
  if (created.length > 0) {
    await recordChanges(
      tx,
      created.map((each) => ({ kind: "folder.created", folder: each })),
    );
    return folder;
  }
  if (folder.name === "")
    throw new Fault("conflict", "The root folder already exists.", {
      code: "name_taken",
    });
  throw nameTaken("folder", folder.name);
}
