import { isPlainName, joinKey, MAX_KEY_SEGMENTS, tryParseName } from "./name.ts";
import type { Key, Name } from "./records.ts";

/**
 * The key in the path of a hosting URL; undefined: no file can have it. `segments` are percent-decoded
 * once, one by one, with U+FFFD for invalid UTF-8 and broken percent-encoding, and with unencoded bytes
 * read as Latin-1; `url` is the whole URL. Nothing is normalized away: a path with an empty segment, a
 * dot segment or an encoded separator has no key.
 */
export function hostingKey(segments: readonly string[], url: string): Key | undefined {
  if (segments.length === 0 || segments.length > MAX_KEY_SEGMENTS) return undefined;
  const names = segments.every(isPlainName) ? segments : parseNames(segments, url);
  if (names === undefined) return undefined;
  try {
    return joinKey(names);
  } catch {
    return undefined;
  }
}

function parseNames(segments: readonly string[], url: string): Name[] | undefined {
  const names: Name[] = [];
  for (const segment of segments) {
    const name = tryParseName(segment);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names.every(isAscii) ? names : namesInUrl(url, segments);
}

const REPLACEMENT = "\ufffd";

const isAscii = (text: string): boolean => !/[^ -~]/.test(text);

/**
 * The names as decoded from the URL, in which the runtime has percent-encoded everything outside ASCII.
 * `segments` are valid names, so the URL parser has not removed any segment.
 */
function namesInUrl(url: string, segments: readonly string[]): Name[] | undefined {
  const end = url.indexOf("?");
  const encoded = (end < 0 ? url : url.slice(0, end)).split("/").slice(-segments.length);
  const names: Name[] = [];
  for (const [at, segment] of encoded.entries()) {
    const text = tryDecode(segment);
    const name = text === undefined ? undefined : tryParseName(text);
    // Bytes that are not UTF-8 become an encoded U+FFFD in the URL.
    if (
      name === undefined ||
      (name.includes(REPLACEMENT) && !segments[at]?.includes(REPLACEMENT))
    ) {
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
