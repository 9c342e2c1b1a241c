export interface JsonProblem {
  /** Index of the character in the text; undefined: the browser does not say. */
  readonly at: number | undefined;
  /** Such as "Line 3, column 5: Unexpected token". */
  readonly text: string;
}

/** Why a text is not JSON; undefined: it is. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    // Some browsers name the line only, and an end that comes too soon has neither.
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    const at =
      position !== undefined
        ? Number(position)
        : line !== undefined
          ? offsetOf(text, Number(line), Number(column))
          : /end of (?:JSON input|data)|EOF/i.test(message)
            ? text.length
            : undefined;
    const reason = message
      .replace(/^JSON\.parse: |^JSON Parse error: /, "")
      .replace(/ (?:in JSON )?at (?:position|line) .*$/s, "")
      .replace(/, "?\.{0,3}.*is not valid JSON$/s, "");
    if (at === undefined) return { at, text: reason };
    const before = text.slice(0, at).split("\n");
    return {
      at,
      text: `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${reason}`,
    };
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split("\n").slice(0, line - 1);
  return lines.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
