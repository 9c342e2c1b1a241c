/** Values that go into one statement: engines bound their number. */
const STATEMENT_VALUES = 500;

/** The list in pieces that fit into one statement each. */
export function* pieces<T>(list: readonly T[], size = STATEMENT_VALUES): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
