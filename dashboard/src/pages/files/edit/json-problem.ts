export interface JsonProblem {
  /** Index of the character in the text that is wrong; the length of the text if it ends too soon. */
  readonly at: number;
  /** The message of a problem, such as "Line 3, column 5: “}” is not expected here." */
  readonly text: string;
}

/** Why a text is not JSON; undefined: it is. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    // Browsers say where in different ways, or not at all.
    const at = firstError(text) ?? 0;
    const lines = text.slice(0, at).split("\n");
    const place = `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const reason =
      at >= text.length
        ? "the text ends too soon."
        : `${character === "\n" ? "a new line" : `“${character}”`} is not expected here.`;
    return { at, text: `${place}: ${reason}` };
  }
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]+|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The index of the first character that JSON cannot have there; undefined: there is none. */
function firstError(text: string): number | undefined {
  let at = 0;
  /** The brackets that end what is open. */
  const open: string[] = [];
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const takeCharacter = (character: string | undefined): boolean => {
    take(SPACE);
    if (character === undefined || text[at] !== character) return false;
    at += 1;
    return true;
  };
  const takeKey = (): boolean => {
    take(SPACE);
    return take(STRING) && takeCharacter(":");
  };
  for (;;) {
    if (takeCharacter("{")) {
      if (!takeCharacter("}")) {
        if (!takeKey()) return at;
        open.push("}");
        continue;
      }
    } else if (takeCharacter("[")) {
      if (!takeCharacter("]")) {
        open.push("]");
        continue;
      }
    } else if (!take(STRING) && !take(PLAIN)) return at;
    while (takeCharacter(open.at(-1))) open.pop();
    if (open.length === 0) return at < text.length ? at : undefined;
    if (!takeCharacter(",") || (open.at(-1) === "}" && !takeKey())) return at;
  }
}
