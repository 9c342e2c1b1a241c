import type { FileRecord, ListPosition, Order } from "./records.ts";

/** The position right after a file in a list of this order. */
export function positionAfter(file: FileRecord, orderBy: Order): ListPosition {
  if (orderBy === "createdAt") return { value: null, id: file.id };
  return { value: orderBy === "type" ? file.mimeType : file[orderBy], id: file.id };
}

/** Whether the value has the right type for a position in a list of this order. */
export function isPositionValue(value: unknown, orderBy: Order): value is ListPosition["value"] {
  if (orderBy === "createdAt") return value === null;
  if (orderBy === "name" || orderBy === "type") return typeof value === "string";
  return Number.isSafeInteger(value);
}
