import type { FileRecord, ListPlace, Order } from "./records.ts";

/** The place right after a file in a list of this order. */
export function placeAfter(file: FileRecord, orderBy: Order): ListPlace {
  if (orderBy === "createdAt") return { value: null, id: file.id };
  return { value: orderBy === "type" ? file.mimeType : file[orderBy], id: file.id };
}

/** Whether a list of this order has places with such a value. */
export function isPlaceValue(value: unknown, orderBy: Order): value is ListPlace["value"] {
  if (orderBy === "createdAt") return value === null;
  if (orderBy === "name" || orderBy === "type") return typeof value === "string";
  return Number.isSafeInteger(value);
}
