import { joinKey, MAX_KEY_SEGMENTS, tryParseName } from "./name.ts";
import type { Key, Name } from "./records.ts";

/**
 * The key that the path of a hosting URL stands for, or undefined when it can be no file's.
 * `segments` were percent-decoded exactly once, one by one, with U+FFFD wherever the bytes were no
 * UTF-8 or the encoding was broken, and bytes that came unencoded taken for Latin-1; `url` is the
 * whole URL and tells what was sent. Nothing is tidied: an empty segment, a dot segment or an
 * encoded separator is nobody's name.
 */
export function hostingKey(segments: readonly string[], url: string): Key | undefined {
  const names: Name[] = [];
  for (const segment of segments) {
    const name = tryParseName(segment);
    if (name === undefined) return undefined;
    names.push(name);
  }
  if (names.length === 0 || names.length > MAX_KEY_SEGMENTS) return undefined;
  const read = names.every(isAscii) ? names : namesOf(url, segments);
  if (read === undefined) return undefined;
  try {
    return joinKey(read);
  } catch {
    return undefined;
  }
}

const LOST = "\ufffd";

const isAscii = (text: string): boolean => !/[^ -~]/.test(text);

/**
 * The names as the URL has them, where all that is beyond ASCII is encoded as it was meant. Only
 * good segments come here, so nothing of its path has been folded away.
 */
function namesOf(url: string, segments: readonly string[]): Name[] | undefined {
  const end = url.indexOf("?");
  const encoded = (end < 0 ? url : url.slice(0, end)).split("/").slice(-segments.length);
  const names: Name[] = [];
  for (const [at, segment] of encoded.entries()) {
    const text = tryDecode(segment);
    const name = text === undefined ? undefined : tryParseName(text);
    // Bytes that are no UTF-8 become an encoded U+FFFD in the URL.
    if (name === undefined || (name.includes(LOST) && !segments[at]?.includes(LOST))) {
      return undefined;
    }
    names.push(name);
  }
  return names;
}

function tryDecode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
