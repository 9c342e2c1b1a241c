import { Fault } from "../../rules/fault.ts";
import type { FolderRecord, Key } from "../../rules/records.ts";
import type { Within } from "../port/file-tree.ts";
import { nameTaken } from "../queries/taken-names.ts";
import type { Tx } from "../tx.ts";
import { ensureFolder } from "./folder-path.ts";
import { recordChanges } from "./record-changes.ts";

export async function createFolder(tx: Tx, key: Key, within?: Within): Promise<FolderRecord> {
  const { folder, created } = await ensureFolder(tx, key, within);
  if (created.length > 0) {
    await recordChanges(
      tx,
      created.map((each) => ({ kind: "folder.created", folder: each })),
    );
    return folder;
  }
  if (folder.name === "") throw new Fault("conflict", "The root folder already exists.");
  throw nameTaken("folder", folder.name);
}
