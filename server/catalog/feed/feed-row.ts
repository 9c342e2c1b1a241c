import type { Actor } from "../../domain/activity.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { Millis, Name, Visibility } from "../../domain/records.ts";
import type {
  FeedEntry,
  FeedPosition,
  ListedFile,
  ListedFolder,
  TreeChange,
} from "../../domain/tree-change.ts";
import { crc32 } from "../../runtime/hash.ts";
import type { ChangesTable } from "../tables/changes.ts";

/* A change as a row of the feed, and back. */

export type NewFeedRow = Omit<ChangesTable, "seq">;
export type FeedRow = NewFeedRow & { readonly seq: number };

/** What the other columns do not say of a file. */
type FileData = Pick<ListedFile, "folderId" | "mimeType" | "size" | "visibility" | "createdAt">;

/** The properties of a folder that no other column of the row holds. */
interface FolderData {
  readonly parentId: string | null;
  readonly createdAt: Millis;
  readonly visibility: Visibility | null;
}

export function toFeedRow(change: TreeChange, actor: string, at: Millis): NewFeedRow {
  const row = (id: string, { key, from, data }: RowParts): NewFeedRow => ({
    kind: change.kind,
    subject_id: id,
    key,
    from_key: from ?? null,
    actor,
    at,
    data: data === undefined ? null : JSON.stringify(data),
  });
  if ("file" in change) {
    const { id, key, folderId, mimeType, size, visibility, createdAt } = change.file;
    const data: FileData = { folderId, mimeType, size, visibility, createdAt };
    return row(id, { key, from: "fromKey" in change ? change.fromKey : null, data });
  }
  if ("folder" in change) {
    const { id, key, parentId, createdAt } = change.folder;
    const from = change.kind === "folder.created" ? null : change.fromKey;
    const visibility = change.kind === "folder.moved" ? change.visibility : null;
    const data: FolderData = { parentId, createdAt, visibility };
    return row(id, { key, from, data });
  }
  const { id, key } = change;
  return "visibility" in change
    ? row(id, { key, data: { visibility: change.visibility } })
    : row(id, { key });
}

interface RowParts {
  readonly key: NewFeedRow["key"];
  readonly from?: NewFeedRow["from_key"];
  readonly data?: object;
}

export function toFeedEntry(row: FeedRow): FeedEntry {
  const actor: Actor = JSON.parse(row.actor);
  return { position: positionOf(row), at: row.at, actor, change: toChange(row) };
}

/** Another feed has another entry with this number, whose id or time differs. */
export function positionOf({ seq, subject_id, at }: FeedRow): FeedPosition {
  return { seq, check: crc32(`${subject_id} ${at}`).toString(36) };
}

function toChange(row: FeedRow): TreeChange {
  const { kind, subject_id: id, key } = row;
  const fromKey = row.from_key ?? key;
  switch (kind) {
    case "file.created":
    case "file.replaced":
    case "file.updated":
    case "file.restored":
      return { kind, file: fileOf(row) };
    case "file.moved":
      return { kind, file: fileOf(row), fromKey };
    case "folder.created":
      return { kind, folder: folderOf(row) };
    case "folder.moved": {
      const { visibility }: FolderData = JSON.parse(row.data ?? "");
      return { kind, folder: folderOf(row), fromKey, visibility };
    }
    case "folder.restored":
      return { kind, folder: folderOf(row), fromKey };
    case "folder.updated": {
      const { visibility }: { visibility: Visibility | null } = JSON.parse(row.data ?? "");
      return { kind, id, key, visibility };
    }
    case "file.deleted":
    case "folder.deleted":
      return { kind, id, key };
    default:
      throw new Error(`The change feed has an entry of the unknown kind ${kind}.`);
  }
}

function fileOf(row: FeedRow): ListedFile {
  const data: FileData = JSON.parse(row.data ?? "");
  return { id: row.subject_id, name: nameOf(row), key: row.key, ...data, updatedAt: row.at };
}

function folderOf(row: FeedRow): ListedFolder {
  const { parentId, createdAt }: FolderData = JSON.parse(row.data ?? "");
  const { subject_id: id, key, at: updatedAt } = row;
  return { id, name: nameOf(row), key, parentId, createdAt, updatedAt };
}

function nameOf({ key }: FeedRow): Name {
  const place = splitKey(key);
  if (place === undefined) throw new Error("The change feed has a file or folder without a name.");
  return place.name;
}
