/** Names that differ by more letters are different words; short ones do by fewer. */
const MAX_LETTERS = 2;

/**
 * The known name that `name` is most likely meant to be: they differ only in case, separators or at most
 * `maxLetters` letters. undefined: none.
 */
export function similarName(
  name: string,
  known: readonly string[],
  maxLetters = MAX_LETTERS,
): string | undefined {
  const letters = lettersOf(name);
  return known.find((each) => differsByFewLetters(letters, lettersOf(each), maxLetters));
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether `maxLetters` insertions, deletions and replacements are enough to turn one text into the other. */
function differsByFewLetters(one: string, other: string, maxLetters: number): boolean {
  if (Math.abs(one.length - other.length) > maxLetters) return false;
  // The distances of the beginning of `one` to each beginning of `other`.
  let distances = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...one].entries()) {
    let diagonal = row;
    const next = [row + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const above = distances[at] ?? 0;
      const replaced = diagonal + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, above + 1, (next[at - 1] ?? 0) + 1));
      diagonal = above;
    }
    distances = next;
  }
  return (distances[other.length] ?? 0) <= maxLetters;
}
