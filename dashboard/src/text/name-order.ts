import { naturalName } from "../../../contract/text/natural-name.ts";
import { compareUtf8 } from "../../../contract/text/utf8-order.ts";

/**
 * The order of names that lists by `naturalName` have: "a2" before "B10". Keeps the sort key of each name
 * for the next comparison.
 */
export function nameOrder(): (one: string, other: string) => number {
  const keys = new Map<string, string>();
  const keyOf = (name: string): string => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = naturalName(name);
    keys.set(name, key);
    return key;
  };
  return (one, other) => compareUtf8(keyOf(one), keyOf(other));
}

/** In the natural order of their names. */
export function sortByName<T extends { readonly name: string }>(
  items: readonly T[],
  direction: "ASC" | "DESC" = "ASC",
): T[] {
  const compare = nameOrder();
  const sign = direction === "ASC" ? 1 : -1;
  return items.toSorted((one, other) => sign * compare(one.name, other.name));
}
