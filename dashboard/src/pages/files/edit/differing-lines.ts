/** Says where two texts differ: the lines between the first and the last difference. */
export function differingLines(mine: string, theirs: string): string {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  if (start === a.length && start === b.length) return "They are the same.";
  let end = 0;
  while (
    end < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end += 1;
  }
  return `They differ in ${lines(start + 1, a.length - end)} of yours and ${lines(start + 1, b.length - end)} of the stored one.`;
}

function lines(from: number, to: number): string {
  if (to < from) return `no line before line ${from}`;
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
