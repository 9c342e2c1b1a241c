import { joinKey, MAX_KEY_SEGMENTS, nameOrNothing } from "./name.ts";
import type { Key, Name } from "./records.ts";

/**
 * The key that the path of a hosting URL stands for, or undefined when it can be no file's.
 * `segments` were percent-decoded exactly once, one by one, with U+FFFD wherever the bytes were no
 * UTF-8 or the encoding was broken; `url` is the whole URL and tells such a U+FFFD from one that
 * was sent. Nothing is tidied: an empty segment, a dot segment or an encoded separator is nobody's
 * name.
 */
export function hostingKey(segments: readonly string[], url: string): Key | undefined {
  const names: Name[] = [];
  for (const segment of segments) {
    const name = nameOrNothing(segment);
    if (name === undefined) return undefined;
    names.push(name);
  }
  if (names.length === 0 || names.length > MAX_KEY_SEGMENTS) return undefined;
  if (segments.some(isDoubtful) && !isWellEncoded(url)) return undefined;
  try {
    return joinKey(names);
  } catch {
    return undefined;
  }
}

const isDoubtful = (segment: string): boolean => segment.includes("\ufffd");

function isWellEncoded(url: string): boolean {
  const end = url.indexOf("?");
  try {
    decodeURIComponent(end < 0 ? url : url.slice(0, end));
    return true;
  } catch {
    return false;
  }
}
