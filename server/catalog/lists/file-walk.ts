import type { Expression, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Order, Page } from "../../domain/records.ts";

/* The parts of a query that lists files in a page's order. Each order is a walk along an index. */

type Operand<T> = T | Expression<T>;

export interface FilterOperands {
  readonly folderId?: Operand<string>;
  readonly name?: Operand<string>;
  readonly sha256?: Operand<string>;
}

/** A `ListPosition`, or placeholders for it. */
export interface PlaceOperands {
  readonly value: Operand<string | number | null>;
  readonly id: Operand<string>;
}

export const columns = {
  // An id begins with the moment of creation: see `ids.ts`.
  createdAt: "files.id",
  updatedAt: "files.updated_at",
  name: "files.name",
  naturalName: "files.natural_name",
  size: "files.size",
  type: "files.mime_type",
} as const satisfies Record<Order, string>;

export function matches({ folderId, name, sha256 }: FilterOperands): Expression<SqlBool> {
  const conditions = [
    ...(folderId === undefined ? [] : [sql<SqlBool>`files.folder_id = ${folderId}`]),
    ...(name === undefined ? [] : [sql<SqlBool>`files.name = ${name}`]),
    ...(sha256 === undefined ? [] : [sql<SqlBool>`files.sha256 = ${sha256}`]),
  ];
  return conditions.length === 0 ? always : sql`${sql.join(conditions, sql` and `)}`;
}

/** Whether a file comes after the place. Comparing rows lets the engine start there in the index. */
export function isPast(
  { orderBy, direction }: Pick<Page, "orderBy" | "direction">,
  place: PlaceOperands | undefined,
): Expression<SqlBool> {
  if (place === undefined) return always;
  const past = sql.raw(direction === "ASC" ? ">" : "<");
  if (orderBy === "createdAt") return sql`files.id ${past} ${place.id}`;
  return sql`(${sql.ref(columns[orderBy])}, files.id) ${past} (${place.value}, ${place.id})`;
}

/** Whether a file is at the place or comes before it. Bounds a range in the index. */
export function isUpTo(
  { orderBy, direction }: Pick<Page, "orderBy" | "direction">,
  place: PlaceOperands,
): Expression<SqlBool> {
  const upTo = sql.raw(direction === "ASC" ? "<=" : ">=");
  if (orderBy === "createdAt") return sql`files.id ${upTo} ${place.id}`;
  return sql`(${sql.ref(columns[orderBy])}, files.id) ${upTo} (${place.value}, ${place.id})`;
}

export function walk({
  orderBy,
  direction,
}: Pick<Page, "orderBy" | "direction">): RawBuilder<unknown> {
  const towards = sql.raw(direction === "ASC" ? "asc" : "desc");
  if (orderBy === "createdAt") return sql`files.id ${towards}`;
  return sql`${sql.ref(columns[orderBy])} ${towards}, files.id ${towards}`;
}

const always = sql<SqlBool>`1 = 1`;
