import type { OrderBy, OrderDirection } from "../../../../../sdk/src/holdall.ts";
import { folderPath, keyOfPath } from "../../../app/navigation/file-paths.ts";
import {
  givenFilters,
  isFiltering,
  NO_FILTERS,
  parseFilters,
  type SearchFilters,
} from "./search-filters.ts";

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
  /** Search text for names; empty: any name. */
  readonly query: string;
  /** The filters of the search. */
  readonly filters: SearchFilters;
  /** The range of the search: everywhere, or in this folder and below it. */
  readonly scope: SearchScope;
}

export type SearchScope = "all" | "folder";

/** Without a search. */
export const NO_SEARCH = { query: "", filters: NO_FILTERS, scope: "all" } as const;

/** Whether the view shows results of a search instead of a folder. Filters alone are one. */
export const isSearch = ({ query, filters }: Pick<FilesView, "query" | "filters">): boolean =>
  query !== "" || isFiltering(filters);

export type Layout = "list" | "grid";

/** Values for what the URL leaves out. */
export type ViewDefaults = Omit<FilesView, "key" | keyof typeof NO_SEARCH>;

export const INITIAL_VIEW: ViewDefaults = { orderBy: "name", direction: "ASC", layout: "list" };

export const ORDERS: readonly ViewOrder[] = ["name", "type", "size", "createdAt", "updatedAt"];

/** The order after a click on a column: the other direction if it is sorted by that already. */
export function sortedBy(
  view: FilesView,
  orderBy: ViewOrder,
): Pick<FilesView, "orderBy" | "direction"> {
  if (orderBy === view.orderBy) {
    return { orderBy, direction: view.direction === "ASC" ? "DESC" : "ASC" };
  }
  return { orderBy, direction: orderBy === "name" || orderBy === "type" ? "ASC" : "DESC" };
}

/** Parses the URL: `rest` is the path below `/files/`, `query` the query string. */
export function parseView(rest: string, query: string, defaults: ViewDefaults): FilesView {
  const parameters = new URLSearchParams(query);
  const direction = parameters.get("dir");
  const layout = parameters.get("view");
  const search = { query: parameters.get("q") ?? "", filters: parseFilters(parameters) };
  const isHere = isSearch(search) && parameters.get("in") === "folder";
  return {
    key: keyOfPath(rest),
    orderBy: ORDERS.find((order) => order === parameters.get("sort")) ?? defaults.orderBy,
    direction: direction === "asc" ? "ASC" : direction === "desc" ? "DESC" : defaults.direction,
    layout: layout === "grid" || layout === "list" ? layout : defaults.layout,
    ...search,
    scope: isHere ? "folder" : "all",
  };
}

/** The path of a view. It is complete, so that a shared link shows the same. */
export function viewPath(view: FilesView): string {
  const { key, orderBy, direction, layout, query: text, filters, scope } = view;
  const query = new URLSearchParams({
    sort: orderBy,
    dir: direction.toLowerCase(),
    view: layout,
    ...(text === "" ? {} : { q: text }),
    ...givenFilters(filters),
    ...(isSearch(view) && scope === "folder" ? { in: scope } : {}),
  });
  return `${folderPath(key)}?${query}`;
}
