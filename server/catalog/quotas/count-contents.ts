import type { Kysely, RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { ID_LENGTH } from "../engine/ids.ts";
import type { Schema } from "../engine/schema.ts";
import { trashKey } from "../records/outside-tree.ts";
import { type Amount, sum } from "./usage.ts";

/** The folder with this key and all below it, in the tree or outside. `folders`: the alias of the table. */
const isInside = (folders: string, key: RawBuilder<unknown>) => {
  const own = sql.ref(`${folders}.key`);
  // "0" is the character after "/".
  return sql`(${own} = ${key} or (${own} > ${key} || '/' and ${own} < ${key} || '0'))`;
};

interface CountRow {
  readonly bytes: number | string;
  readonly files: number | string;
}

const toAmount = ({ bytes, files }: CountRow): Amount => ({
  // Engines may return sums as text, since they can exceed a number.
  bytes: Number(bytes),
  files: Number(files),
});

const totals = sql`coalesce(sum(size), 0) as bytes, count(*) as files`;

/** The contents in the folder with this key, at any depth. undefined: there are `limit` or more of one kind. */
export async function countInside(
  db: Kysely<Schema>,
  folder: Key,
  limit?: number,
): Promise<Amount | undefined> {
  const key = sql`cast(${folder} as text)`;
  const atMost = limit === undefined ? sql`` : sql`limit ${limit}`;
  const files = sql`select files.size from folders
    join files on files.folder_id = folders.id where ${isInside("folders", key)} ${atMost}`;
  const versions = sql`select versions.size from folders
    join files on files.folder_id = folders.id
    join versions on versions.file_id = files.id where ${isInside("folders", key)} ${atMost}`;
  let all: Amount = { bytes: 0, files: 0 };
  for (const contents of [files, versions]) {
    const { rows } = await sql<CountRow>`select ${totals} from (${contents}) as contents`.execute(
      db,
    );
    const [row] = rows;
    if (row === undefined) continue;
    const counted = toAmount(row);
    if (limit !== undefined && counted.files >= limit) return undefined;
    all = sum(all, counted);
  }
  return all;
}

/** The contents of these files, with their versions. */
export async function countFiles(db: Kysely<Schema>, ids: readonly string[]): Promise<Amount> {
  let all: Amount = { bytes: 0, files: 0 };
  for (const chunk of chunks(ids)) {
    const list = sql.join(chunk);
    const { rows } = await sql<CountRow>`select ${totals} from (
      select size from files where id in (${list})
      union all select size from versions where file_id in (${list})) as contents`.execute(db);
    for (const row of rows) all = sum(all, toAmount(row));
  }
  return all;
}

/** The numbers of a quota, and what they ought to be. */
export interface Recount {
  readonly used: Amount;
  readonly actual: Amount;
  readonly recounts: number;
}

/**
 * Counts all contents of a folder with a quota: of its files, in the tree or in the trash with it; of what was
 * deleted from it and is in the trash; and their versions. One statement, so that the numbers of the quota and the
 * contents are of the same moment, whatever is uploaded meanwhile. undefined: it has no quota.
 */
export async function recount(db: Kysely<Schema>, folderId: string): Promise<Recount | undefined> {
  const { rows } = await sql<CountRow & Record<"used_bytes" | "used_files" | "recounts", number>>`
    with top as (select id, key from folders where id = ${folderId}),
    items as (
      select subject_id, kind from trash_items
      where substr(parent_ids, ${sql.lit(ID_LENGTH + 2)}, ${sql.lit(ID_LENGTH)}) = ${folderId}
    ),
    contents as (
      select files.id, files.size from top
        join folders on ${isInside("folders", sql`top.key`)}
        join files on files.folder_id = folders.id
      union all
      select files.id, files.size from items join files on files.id = items.subject_id
        where items.kind = 'file'
      union all
      select files.id, files.size from items
        join folders on ${isInside("folders", sql`(${sql.lit(trashKey(""))} || items.subject_id)`)}
        join files on files.folder_id = folders.id
        where items.kind = 'folder'
    )
    select used_bytes, used_files, recounts, counted.bytes as bytes, counted.files as files
    from quotas, (
      select ${totals} from (
        select size from contents
        union all
        select versions.size from contents join versions on versions.file_id = contents.id
      ) as sizes
    ) as counted
    where quotas.folder_id = ${folderId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    used: { bytes: Number(row.used_bytes), files: Number(row.used_files) },
    actual: toAmount(row),
    recounts: Number(row.recounts),
  };
}
