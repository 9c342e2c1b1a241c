import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { LinkRecord } from "../../domain/links.ts";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isLasting, isLive } from "../records/outside-tree.ts";
import type { LinksTable } from "../tables/links.ts";

export const selectLinks = (db: Kysely<Schema>) => db.selectFrom("links").selectAll("links");

/** With `subjectKey`; null: the file or folder is not in the tree. The trash has where it was. */
export function selectListedLinks(db: Kysely<Schema>) {
  return selectLinks(db)
    .leftJoin("files", (join) =>
      join.onRef("files.id", "=", "links.subject_id").on("links.subject_kind", "=", "file"),
    )
    .leftJoin("folders", (join) =>
      join.on(
        "folders.id",
        "=",
        sql<string>`case links.subject_kind when 'file' then files.folder_id else links.subject_id end`,
      ),
    )
    .leftJoin("trash_items", "trash_items.subject_id", "links.subject_id")
    .select([
      sql<Key | null>`case
        when folders.id is null or not (${isLive}) or (files.id is not null and not ${isLasting}) then null
        when links.subject_kind = 'folder' then folders.key
        when folders.key = '' then files.name
        else folders.key || '/' || files.name end`.as("subjectKey"),
      "trash_items.key as trashedKey",
      "files.name as fileName",
    ]);
}

export const toLink = (row: LinksTable): LinkRecord => ({
  id: row.id,
  tokenHash: row.token_hash,
  kind: row.kind,
  subject: { kind: row.subject_kind, id: row.subject_id },
  maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
  title: row.title,
  passwordHash: row.password_hash,
  passwordVersion: row.password_version,
  expiresAt: row.expires_at,
  usesLeft: row.uses_left,
  visits: row.visits,
  downloadOnly: row.download_only === 1,
  maxBytes: row.max_bytes,
  maxFiles: row.max_files,
  lifetime: row.lifetime,
  deleteAtEnd: row.delete_at_end === 1,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});
