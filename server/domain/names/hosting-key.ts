import type { Key, Name } from "../records.ts";
import { isPlainName, joinKey, MAX_KEY_SEGMENTS, tryParseName } from "./name.ts";

export interface HostingPath {
  /** undefined: no file can have it. */
  readonly key: Key | undefined;
  /** If the first segment may be the token of a signed folder. */
  readonly signed?: {
    readonly token: Name;
    /** What follows it; undefined: no file can have it. */
    readonly key: Key | undefined;
  };
}

/** With what the tokens of signed folders begin. Ordinary names may too. */
const TOKEN_MARK = "~";

/**
 * The key in the path of a hosting URL; undefined: no file can have it. `segments` are percent-decoded
 * once, one by one, with U+FFFD for invalid UTF-8 and broken percent-encoding, and with unencoded bytes
 * read as Latin-1; `url` is the whole URL. Empty segments and single dots are folded, as web servers do,
 * except at the end. A path with two dots or an encoded separator has no key.
 */
export function hostingPath(segments: readonly string[], url: string): HostingPath {
  // No plain name begins with the mark.
  if (segments.every(isPlainName)) return { key: keyOf(segments) };
  return pathOf(foldedNames(segments, url));
}

/** As `hostingPath`, where no tokens are. */
export const hostingKey = (segments: readonly string[], url: string): Key | undefined =>
  hostingPath(segments, url).key;

/**
 * The key in the path of a URL that begins with `prefix`, of which the runtime gives no segments, since one is
 * empty. It has resolved single dots and, where no segment would remain empty, also two dots: such a path
 * has no key.
 */
export function hostingPathInUrl(prefix: string, url: string): HostingPath {
  return pathOf(namesInPath(prefix, url));
}

function namesInPath(prefix: string, url: string): Name[] | undefined {
  const { pathname } = new URL(url, "http://localhost");
  const encoded = pathname.startsWith(prefix) ? pathname.slice(prefix.length).split("/") : [];
  if (!encoded.includes("")) return undefined;
  const segments = encoded.map((segment) => tryDecode(segment) ?? REPLACEMENT);
  // U+FFFD may stand for bytes that are not UTF-8.
  if (segments.some((segment) => segment.includes(REPLACEMENT))) return undefined;
  return foldedNames(segments, pathname);
}

function pathOf(names: readonly Name[] | undefined): HostingPath {
  if (names === undefined) return { key: undefined };
  const [first, ...others] = names;
  if (first === undefined || !first.startsWith(TOKEN_MARK)) return { key: keyOf(names) };
  // The token does not count towards the limits of a key.
  return { key: keyOf(names), signed: { token: first, key: keyOf(others) } };
}

function keyOf(names: readonly Name[]): Key | undefined {
  if (names.length === 0 || names.length > MAX_KEY_SEGMENTS) return undefined;
  try {
    return joinKey(names);
  } catch {
    return undefined;
  }
}

const isFolded = (segment: string): boolean => segment === "" || segment === ".";

function foldedNames(segments: readonly string[], url: string): Name[] | undefined {
  if (isFolded(segments.at(-1) ?? "")) return undefined;
  return parseNames(
    segments.filter((segment) => !isFolded(segment)),
    url,
  );
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
 * `segments` are valid names, of which the URL parser has removed none.
 */
function namesInUrl(url: string, segments: readonly string[]): Name[] | undefined {
  const end = url.indexOf("?");
  const encoded = (end < 0 ? url : url.slice(0, end))
    .split("/")
    .filter((segment) => !isFolded(segment.replace(/^%2e$/i, ".")))
    .slice(-segments.length);
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
