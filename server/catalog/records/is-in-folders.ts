import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";

/**
 * Whether a folder is in all folders with these ids, at any depth, or is the folder itself. A folder
 * that does not exist contains nothing. The keys are those at the moment of the statement, so a
 * concurrent rename or move never lets it read what is outside.
 *
 * The key is compared as an expression, so that engines do not use the condition as a range.
 */
export function isInFolders(ids: readonly (string | Expression<string>)[]): Expression<SqlBool> {
  if (ids.length === 0) return sql<SqlBool>`1 = 1`;
  const conditions = ids.map((id) => {
    const top = sql<string>`(select top.key from folders as top where top.id = ${id})`;
    return sql<SqlBool>`(${top} = '' or folders.key || '' = ${top} or (folders.key || '' > ${top} || '/' and folders.key || '' < ${top} || '0'))`;
  });
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
