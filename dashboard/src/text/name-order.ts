const collator = new Intl.Collator(undefined, { numeric: true });

/** Orders names as people do: "a2" before "B10", whatever the case. Negative: `one` comes first. */
export const compareNames = (one: string, other: string): number =>
  collator.compare(one, other) || Number(one > other) - Number(one < other);
