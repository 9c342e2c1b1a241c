const MIN_HEAD_LENGTH = 4;
const TAIL_LENGTH = 8;

/** Right-to-left characters and direction marks. A name with any of them is not split. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200e\u200f\u202a-\u202e\u2066-\u2069\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Splits a long name before its last few graphemes; `head` may be truncated, `tail` is kept. */
export function splitName(name: string, tailLength = TAIL_LENGTH): { head: string; tail: string } {
  if (name.length <= tailLength + MIN_HEAD_LENGTH || RIGHT_TO_LEFT.test(name))
    return { head: name, tail: "" };
  const graphemes = [...new Intl.Segmenter().segment(name.slice(-64))].map(
    ({ segment }) => segment,
  );
  // A space after the ellipsis would look like a gap.
  const tail = graphemes.slice(-tailLength).join("").trimStart();
  return { head: name.slice(0, name.length - tail.length), tail };
}

/** The length of a name without its extension. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name.length : dot;
}
