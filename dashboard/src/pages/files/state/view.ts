import type { OrderBy, OrderDirection } from "../../../../../sdk/src/holdall.ts";

/** What the address says about the files page. */
export interface FilesView {
  /** The folder's key; empty for the root. */
  readonly key: string;
  readonly orderBy: OrderBy;
  readonly direction: OrderDirection;
  readonly layout: Layout;
  /** A part of the names that are looked for, in all folders; empty: the folder is shown. */
  readonly query: string;
}

export type Layout = "list" | "grid";

/** What holds where the address is silent. */
export type ViewDefaults = Omit<FilesView, "key" | "query">;

export const FIRST_DEFAULTS: ViewDefaults = { orderBy: "name", direction: "ASC", layout: "list" };

export const ORDERS: readonly OrderBy[] = ["name", "type", "size", "createdAt", "updatedAt"];

/** Reads the address: `rest` is the path below `/files/`, `query` what follows the question mark. */
export function parseView(rest: string, query: string, defaults: ViewDefaults): FilesView {
  const parameters = new URLSearchParams(query);
  const direction = parameters.get("dir");
  const layout = parameters.get("view");
  return {
    key: keyOfPath(rest),
    orderBy: ORDERS.find((order) => order === parameters.get("sort")) ?? defaults.orderBy,
    direction: direction === "asc" ? "ASC" : direction === "desc" ? "DESC" : defaults.direction,
    layout: layout === "grid" || layout === "list" ? layout : defaults.layout,
    query: parameters.get("q") ?? "",
  };
}

/** The address of a view: everything in it, so that it looks the same to whoever opens it. */
export function viewPath({ key, orderBy, direction, layout, query: text }: FilesView): string {
  const query = new URLSearchParams({
    sort: orderBy,
    dir: direction.toLowerCase(),
    view: layout,
    ...(text === "" ? {} : { q: text }),
  });
  return `${folderPath(key)}?${query}`;
}

/** The address of a folder, in whatever order and layout is usual. */
export const folderPath = (key: string): string =>
  key === "" ? "/files" : `/files/${key.split("/").map(encodeURIComponent).join("/")}`;

function keyOfPath(rest: string): string {
  return rest
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    })
    .join("/");
}

/** The key of the folder that holds this one; undefined for the root. */
export function parentKey(key: string): string | undefined {
  if (key === "") return undefined;
  const slash = key.lastIndexOf("/");
  return slash < 0 ? "" : key.slice(0, slash);
}
