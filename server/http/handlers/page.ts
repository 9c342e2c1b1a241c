import type { OrderBy, OrderDirection } from "../../../contract/types.ts";
import type { Page } from "../../rules/records.ts";

interface ListQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly orderBy?: OrderBy | undefined;
  readonly orderDirection?: OrderDirection | undefined;
}

/** The list parameters with their defaults. */
export const pageOf = (query: ListQuery): Page => ({
  orderBy: query.orderBy ?? "createdAt",
  direction: query.orderDirection ?? "DESC",
  offset: query.offset ?? 0,
  limit: query.limit ?? null,
});
