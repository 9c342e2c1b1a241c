import type { Expression, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { NameMatch } from "../../rules/name-match.ts";
import type { FileRecord, FolderRecord, Key } from "../../rules/records.ts";
import type { FilePlace, Search } from "../port/file-tree.ts";
import type { Schema } from "../schema.ts";
import { isInFolders } from "./is-in-folders.ts";
import { selectFiles, selectFolders } from "./select-records.ts";
import { filesInFolders, walkFiles, walkFolders } from "./walk-below.ts";

export function createFindFolders(db: Kysely<Schema>) {
  return async function* findFolders(search: Search<Key>): AsyncGenerator<FolderRecord[]> {
    const { match, below, after, limit, within = [] } = search;
    let wanted = limit;
    for await (const range of walkFolders(db, below, after)) {
      const rows = await db
        .selectFrom("folders")
        .select(["folders.id", "folders.name"])
        .where(range)
        .where(mayMatch(match, "folders.name"))
        .orderBy("folders.key")
        .$if(match.isPlain, (query) => query.limit(wanted))
        .execute();
      const hits = rows.filter(({ name }) => match.matches(name)).slice(0, wanted);
      const ids = hits.map(({ id }) => id);
      yield hits.length === 0
        ? []
        : inOrder(
            ids,
            await selectFolders(db)
              .where("folders.id", "in", ids)
              .where(isInFolders(within))
              .execute(),
          );
      wanted -= hits.length;
      if (wanted <= 0) return;
    }
  };
}

export function createFindFiles(db: Kysely<Schema>) {
  return async function* findFiles(search: Search<FilePlace>): AsyncGenerator<FileRecord[]> {
    const { match, below, after, limit, within = [] } = search;
    const from =
      after === undefined
        ? { folder: below, after: null }
        : { folder: after.folder, after: [after.name] };
    let wanted = limit;
    for await (const range of walkFiles(db, below, ["name"], from)) {
      const rows = await filesInFolders(db)
        .select(["files.id", "files.name"])
        .where(range)
        .where(mayMatch(match, "files.name"))
        .orderBy("folders.key")
        .orderBy("files.name")
        .$if(match.isPlain, (query) => query.limit(wanted))
        .execute();
      const hits = rows.filter(({ name }) => match.matches(name)).slice(0, wanted);
      const ids = hits.map(({ id }) => id);
      yield hits.length === 0
        ? []
        : inOrder(
            ids,
            await selectFiles(db).where("files.id", "in", ids).where(isInFolders(within)).execute(),
          );
      wanted -= hits.length;
      if (wanted <= 0) return;
    }
  };
}

/**
 * A condition that all names found by `match` fulfil. Engines lowercase only A to Z alike. For a text
 * with other letters the condition is a name with such letters, and JavaScript does the matching.
 */
function mayMatch(match: NameMatch, column: "files.name" | "folders.name"): Expression<SqlBool> {
  const name = sql.ref(column);
  if (!match.isPlain) return sql`length(${name}) <> octet_length(${name})`;
  const pattern = `%${match.lower.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`lower(${name}) like ${pattern} escape '\\'`;
}

/** The records in the order of the ids, without those removed meanwhile. */
function inOrder<R extends { readonly id: string }>(
  ids: readonly string[],
  records: readonly R[],
): R[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
