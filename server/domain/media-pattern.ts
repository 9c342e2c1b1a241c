import { Fault } from "./faults/fault.ts";

/* Patterns of media types: a type such as `image/png`, all types of a kind such as `image/*`, or all types. */

const MAX_PATTERNS = 32;
const ALL = "*/*";
const TOKEN = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";
const PATTERN = new RegExp(`^${TOKEN}/(?:\\*|${TOKEN})$`);

/**
 * The patterns in lower case, each once. Empty: every type is allowed. Fault "invalid" names `field`:
 * there are more than 32, or one is malformed.
 */
export function parseMediaPatterns(field: string, patterns: readonly string[]): readonly string[] {
  if (patterns.length > MAX_PATTERNS) {
    throw new Fault("invalid", `\`${field}\` must have at most ${MAX_PATTERNS} media types.`);
  }
  const parsed = new Set(patterns.map((pattern) => pattern.trim().toLowerCase()));
  for (const pattern of parsed) {
    if (pattern === ALL || PATTERN.test(pattern)) continue;
    throw new Fault(
      "invalid",
      `\`${field}\` must be a list of media types such as \`image/png\`, or \`image/*\` for all images.`,
    );
  }
  return parsed.has(ALL) ? [] : [...parsed];
}

/** Whether one of the patterns matches a media type in lower case without parameters; also if there are none. */
export function matchesMediaPatterns(patterns: readonly string[], mimeType: string): boolean {
  if (patterns.length === 0) return true;
  const kind = mimeType.slice(0, mimeType.indexOf("/") + 1);
  return patterns.some((pattern) => pattern === mimeType || pattern === `${kind}*`);
}
