import { ORDERS } from "../state/view.ts";
import type { ListOrder } from "./insert-files.ts";

/** The start of the query keys of folders and searches. */
export const folderKey = ["folder"] as const;

export interface FolderQuery extends ListOrder {
  readonly key: string;
}

/** The folder and order of a query; undefined for a query of something else, such as a search. */
export function folderQueryOf([, key, orderBy, direction]: readonly unknown[]):
  | FolderQuery
  | undefined {
  const order = ORDERS.find((each) => each === orderBy);
  if (typeof key !== "string" || order === undefined) return undefined;
  return { key, orderBy: order, direction: direction === "DESC" ? "DESC" : "ASC" };
}
