const LONG = 12;
const KEPT = 8;

/** Letters that run from right to left: a name with them is never cut in the middle. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200e\u200f\u202a-\u202e\u2066-\u2069\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Where a long name is cut when there is no room for it: before its last few letters. */
export function splitName(name: string): { head: string; tail: string } {
  if (name.length <= LONG || RIGHT_TO_LEFT.test(name)) return { head: name, tail: "" };
  const letters = [...new Intl.Segmenter().segment(name.slice(-64))].map(({ segment }) => segment);
  const tail = letters.slice(-KEPT).join("");
  return { head: name.slice(0, name.length - tail.length), tail };
}

/** How many characters of a name come before its extension; all, where it has none. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name.length : dot;
}
