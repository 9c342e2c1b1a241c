import { sql } from "kysely";
import { type DryRunChange, type DryRunReport, MAX_REPORTED } from "../domain/dry-run.ts";
import type { BlobId, Key } from "../domain/records.ts";
import type { TreeChange } from "../domain/tree-change.ts";
import { chunks } from "./engine/chunks.ts";
import type { DryRunLog, Tx } from "./engine/tx.ts";
import { selectListedLinks } from "./links/select-links.ts";
import { trashKey } from "./records/outside-tree.ts";
import { isWithin } from "./records/select-records.ts";

/** The ids of working links whose file or folder is not in the tree. */
export async function lostLinks(tx: Pick<Tx, "db" | "now">): Promise<ReadonlySet<string>> {
  const links = await workingLinks(tx);
  return new Set(links.flatMap(({ id, key }) => (key === null ? [id] : [])));
}

/** Builds the report of a change that was rolled back. `lost`: the result of `lostLinks` before the rollback. */
export async function reportOf(
  tx: Pick<Tx, "db" | "now">,
  log: DryRunLog,
  lost: ReadonlySet<string>,
): Promise<DryRunReport> {
  const { files, bytes } = await measureChanged(tx, log.changes);
  const links = await workingLinks(tx);
  return {
    changes: log.changes.slice(0, MAX_REPORTED).map(summaryOf),
    total: log.changes.length,
    files,
    bytes,
    freedBytes: await measureFreed(tx, log),
    conflicts: log.conflicts.slice(0, MAX_REPORTED),
    links: links
      .flatMap(({ id, title, key }) => (key !== null && lost.has(id) ? [{ id, title, key }] : []))
      .slice(0, MAX_REPORTED),
  };
}

function workingLinks(
  tx: Pick<Tx, "db" | "now">,
): Promise<{ id: string; title: string | null; key: Key | null }[]> {
  return tx.db
    .selectFrom(selectListedLinks(tx.db).as("links"))
    .select(["links.id", "links.title", "links.subjectKey as key"])
    .where("links.revoked_at", "is", null)
    .where((eb) => eb.or([eb("links.expires_at", "is", null), eb("links.expires_at", ">", tx.now)]))
    .where((eb) => eb.or([eb("links.uses_left", "is", null), eb("links.uses_left", ">", 0)]))
    .orderBy("links.id")
    .execute();
}

export function summaryOf(change: TreeChange): DryRunChange {
  const { kind } = change;
  const { id, key } = subjectOf(change);
  return { kind, id, key, fromKey: "fromKey" in change ? change.fromKey : null };
}

function subjectOf(change: TreeChange): { readonly id: string; readonly key: Key } {
  if ("file" in change) return change.file;
  return "folder" in change ? change.folder : change;
}

interface Sum {
  readonly files: number;
  readonly bytes: number;
}

/** The files that changes are about. */
async function measureChanged(tx: Pick<Tx, "db">, changes: readonly TreeChange[]): Promise<Sum> {
  const sums: Sum[] = [];
  const deleted: string[] = [];
  for (const change of changes) {
    if ("file" in change) sums.push({ files: 1, bytes: change.file.size });
    else if (change.kind === "file.deleted") deleted.push(change.id);
    else if (change.kind !== "folder.created") sums.push(await measureWithin(tx, placeOf(change)));
  }
  for (const chunk of chunks(deleted)) {
    const found = tx.db.selectFrom("files").select(COUNTED).where("id", "in", chunk);
    sums.push(numbersOf(await found.executeTakeFirstOrThrow()));
  }
  return sums.reduce(add, { files: 0, bytes: 0 });
}

/** The key that the folder of a change had before. */
function placeOf(change: Exclude<TreeChange, { file: unknown }>): Key {
  if (!("folder" in change)) return change.key;
  if (change.kind === "folder.restored") return trashKey(change.folder.id);
  return change.kind === "folder.moved" ? change.fromKey : change.folder.key;
}

async function measureWithin(tx: Pick<Tx, "db">, key: Key): Promise<Sum> {
  const found = tx.db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .select(COUNTED)
    .where(isWithin(key));
  return numbersOf(await found.executeTakeFirstOrThrow());
}

/** In bytes. */
async function measureFreed(
  tx: Pick<Tx, "db">,
  { condemned, removedFolders }: DryRunLog,
): Promise<number> {
  let bytes = 0;
  for (const chunk of chunks([...new Set<BlobId>(condemned)])) {
    for (const table of ["files", "versions"] as const) {
      const found = tx.db.selectFrom(table).select(COUNTED).where("blob_id", "in", chunk);
      bytes += numbersOf(await found.executeTakeFirstOrThrow()).bytes;
    }
  }
  for (const key of removedFolders) {
    bytes += (await measureWithin(tx, key)).bytes;
    const versions = tx.db
      .selectFrom("folders")
      .innerJoin("files", "files.folder_id", "folders.id")
      .innerJoin("versions", "versions.file_id", "files.id")
      .select(sql<number>`coalesce(sum(versions.size), 0)`.as("bytes"))
      .where(isWithin(key));
    bytes += Number((await versions.executeTakeFirstOrThrow()).bytes);
  }
  return bytes;
}

const COUNTED = [
  sql<number>`count(*)`.as("files"),
  sql<number>`coalesce(sum(size), 0)`.as("bytes"),
] as const;

const numbersOf = ({ files, bytes }: Sum): Sum => ({ files: Number(files), bytes: Number(bytes) });

const add = (one: Sum, other: Sum): Sum => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
});
