const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
/** Deeper levels are not indented further: the text would become too long. */
const MAX_LEVELS = 100;

/**
 * Indents JSON by two spaces a level. Values stay as they are written, such as 1.0 or numbers with
 * many digits. Undefined if the text is not valid JSON.
 */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  const parts: string[] = [];
  let level = 0;
  const newLine = () => `\n${"  ".repeat(Math.min(level, MAX_LEVELS))}`;
  for (const [at, token] of tokens.entries()) {
    if (token === "{" || token === "[") {
      level += 1;
      parts.push(token);
      if (!isEnd(tokens[at + 1])) parts.push(newLine());
    } else if (isEnd(token)) {
      level -= 1;
      const isEmpty = tokens[at - 1] === "{" || tokens[at - 1] === "[";
      parts.push(isEmpty ? token : newLine() + token);
    } else if (token === ",") parts.push(token + newLine());
    else parts.push(token === ":" ? ": " : token);
  }
  return parts.join("");
}

const isEnd = (token: string | undefined): boolean => token === "}" || token === "]";
