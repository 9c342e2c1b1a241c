import { naturalName } from "../../contract/text/natural-name.ts";
import type { FileRecord, ListPosition, Order } from "./records.ts";

/** The position right after a file in a list of this order. */
export function positionAfter(file: FileRecord, orderBy: Order): ListPosition {
  return { value: positionValue(file, orderBy), id: file.id };
}

function positionValue(file: FileRecord, orderBy: Order): ListPosition["value"] {
  if (orderBy === "createdAt") return null;
  if (orderBy === "naturalName") return naturalName(file.name);
  return orderBy === "type" ? file.mimeType : file[orderBy];
}

const TEXT_ORDERS: readonly Order[] = ["name", "naturalName", "type"];

/** Whether the value has the right type for a position in a list of this order. */
export function isPositionValue(value: unknown, orderBy: Order): value is ListPosition["value"] {
  if (orderBy === "createdAt") return value === null;
  if (TEXT_ORDERS.includes(orderBy)) return typeof value === "string";
  return Number.isSafeInteger(value);
}
