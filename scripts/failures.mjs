/** Lines of the error that the end of a report repeats for each failure, and lines of all together. */
const LINES_EACH = 8;
const LINES_TOGETHER = 40;

/**
 * The failures `{ title, message }` as text for the end of a report: a line for each, and the first
 * lines of its error. Where there are many, later ones have no error, and the last are only counted.
 */
export function listFailures(failures) {
  const lines = failures
    .slice(0, LINES_TOGETHER)
    .map(({ title }) => [`FAILED  ${title.replaceAll("\n", " ")}`]);
  let room = LINES_TOGETHER - lines.length;
  for (const [index, entry] of lines.entries()) {
    const message = firstLines(failures[index].message, Math.min(LINES_EACH, room));
    entry.push(...message.map((line) => `        ${line}`));
    room -= message.length;
  }
  if (failures.length > lines.length) lines.push([`… and ${failures.length - lines.length} more`]);
  return lines.flat().join("\n");
}

/** Empty lines are left out. */
const firstLines = (text, count) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, count)
    .map((line) => line.slice(0, 200));

/** What the output of a test file that failed as a whole says of the reason: its first error, or its end. */
export function findError(output) {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => /^\w*error: /i.test(line));
  return (first < 0 ? lines.slice(-LINES_EACH) : lines.slice(first)).join("\n");
}
