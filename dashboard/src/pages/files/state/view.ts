import type { OrderBy, OrderDirection } from "../../../../../sdk/src/holdall.ts";
import { folderPath } from "../../../app/file-paths.ts";
import { decodeSegment } from "../../../text/key-parts.ts";
import { givenFilters, NO_FILTERS, parseFilters, type SearchFilters } from "./search-filters.ts";

/** "name" is the natural order of names. */
export type ViewOrder = Exclude<OrderBy, "naturalName">;

/** The server's word for an order. */
export const serverOrder = (order: ViewOrder): OrderBy =>
  order === "name" ? "naturalName" : order;

/** The state of the files page in the URL. */
export interface FilesView {
  /** The folder's key; empty for the root. */
  readonly key: string;
  readonly orderBy: ViewOrder;
  readonly direction: OrderDirection;
  readonly layout: Layout;
  /** Search text for names in all folders; empty shows the folder. */
  readonly query: string;
  /** Of the search. Without a text, they are not in the URL. */
  readonly filters: SearchFilters;
}

export type Layout = "list" | "grid";

/** Values for what the URL leaves out. */
export type ViewDefaults = Omit<FilesView, "key" | "query" | "filters">;

export const INITIAL_VIEW: ViewDefaults = { orderBy: "name", direction: "ASC", layout: "list" };

export const ORDERS: readonly ViewOrder[] = ["name", "type", "size", "createdAt", "updatedAt"];

/** Parses the URL: `rest` is the path below `/files/`, `query` the query string. */
export function parseView(rest: string, query: string, defaults: ViewDefaults): FilesView {
  const parameters = new URLSearchParams(query);
  const direction = parameters.get("dir");
  const layout = parameters.get("view");
  const text = parameters.get("q") ?? "";
  return {
    key: keyOfPath(rest),
    orderBy: ORDERS.find((order) => order === parameters.get("sort")) ?? defaults.orderBy,
    direction: direction === "asc" ? "ASC" : direction === "desc" ? "DESC" : defaults.direction,
    layout: layout === "grid" || layout === "list" ? layout : defaults.layout,
    query: text,
    filters: text === "" ? NO_FILTERS : parseFilters(parameters),
  };
}

/** The path of a view. It is complete, so that a shared link shows the same. */
export function viewPath(view: FilesView): string {
  const { key, orderBy, direction, layout, query: text, filters } = view;
  const query = new URLSearchParams({
    sort: orderBy,
    dir: direction.toLowerCase(),
    view: layout,
    ...(text === "" ? {} : { q: text, ...givenFilters(filters) }),
  });
  return `${folderPath(key)}?${query}`;
}

function keyOfPath(rest: string): string {
  return rest
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment)
    .join("/");
}
