import { Fault } from "../faults/fault.ts";
import type { Key, Name } from "../records.ts";

export const MAX_NAME_BYTES = 255;
export const MAX_KEY_BYTES = 4096;
export const MAX_KEY_SEGMENTS = 128;

export const ROOT_KEY = "" as Key;

const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/**
 * A longer text (in UTF-16 code units) cannot have a valid NFC form, as it has at most 1.5 units per byte
 * of that form. Do not normalize such a text: it takes time quadratic in a run of combining marks,
 * minutes for a megabyte.
 */
const MAX_NAME_UNITS = 2 * MAX_NAME_BYTES;

/** Matches most names: valid and already in NFC. Ten times as fast as the full check. */
const PLAIN = /^[\w-][\w .()+,@=-]{0,254}$/;

/** Whether `text` is a name as most names are, so that nothing else needs to be checked. */
export const isPlainName = (text: string): text is Name => PLAIN.test(text);

/** The NFC form of `text`; a text that is too long for a name is returned unchanged. */
const normalize = (text: string): string =>
  text.length > MAX_NAME_UNITS ? text : text.normalize("NFC");

/** Why `text` (from `normalize`) is not a valid name, as the end of the sentence "A name …"; null: valid. */
function nameProblem(text: string): string | null {
  if (/^[\s\u0085]*$/.test(text)) return "must not be empty or only white space";
  if (text === "." || text === "..") return "must not be `.` or `..`";
  if (/[/\\]/.test(text)) return "must be a single path segment, without `/` or `\\`";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  if (/[\u0000-\u001f\u007f]/.test(text)) return "must not contain control characters";
  if (!text.isWellFormed()) return "must be valid Unicode, without lone surrogates";
  if (text.length > MAX_NAME_UNITS || byteLength(text) > MAX_NAME_BYTES) {
    return `must be at most ${MAX_NAME_BYTES} bytes of UTF-8, and this one has ${byteLength(text)}`;
  }
  return null;
}

/** The name in NFC. Fault "invalid": not a valid name. */
export function parseName(text: string): Name {
  if (isPlainName(text)) return text;
  const name = normalize(text);
  const problem = nameProblem(name);
  if (problem !== null) throw new Fault("invalid", `A name ${problem}.`);
  return name as Name;
}

/** Like `parseName`, but returns undefined for an invalid name. */
export function tryParseName(text: string): Name | undefined {
  if (isPlainName(text)) return text;
  const name = normalize(text);
  return nameProblem(name) === null ? (name as Name) : undefined;
}

/**
 * Fault "invalid": the name has one of the control characters U+0080 to U+009F. Earlier releases accepted
 * them, so files and folders that have such a name are found and keep it, but none gets one.
 */
export function rejectC1(name: Name): void {
  if (/[\u0080-\u009f]/.test(name)) {
    throw new Fault("invalid", "A name must not contain control characters.");
  }
}

/**
 * Parses a path from a body, a form field or `key=`. Drops leading, trailing and repeated slashes; ""
 * and "/" are the root. Fault "invalid": a segment is not a valid name, or the key is too long or too
 * deep.
 */
export function parseKey(path: string): Key {
  // Twice the limit leaves room for repeated slashes and NFC, and keeps the work bounded.
  if (path.length > 2 * MAX_KEY_BYTES) throw tooLong();
  const segments = path.split("/").filter((segment) => segment !== "");
  return joinKey(segments.map(parseName));
}

/** Joins names to a key. Fault "invalid": more than 4,096 bytes or 128 segments. */
export function joinKey(names: readonly Name[]): Key {
  const key = names.join("/");
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const fits = 3 * key.length <= MAX_KEY_BYTES || byteLength(key) <= MAX_KEY_BYTES;
  if (names.length > MAX_KEY_SEGMENTS || !fits) throw tooLong();
  return key as Key;
}

/** The key of `name` inside `folder`. Fault "invalid": too long or too deep. */
export function childKey(folder: Key, name: Name): Key {
  return joinKey([...keyNames(folder), name]);
}

/** The folder and the name of a key; undefined for the root. */
export function splitKey(key: Key): { readonly folder: Key; readonly name: Name } | undefined {
  if (key === ROOT_KEY) return undefined;
  const end = key.lastIndexOf("/");
  return { folder: key.slice(0, Math.max(0, end)) as Key, name: key.slice(end + 1) as Name };
}

/** The names in a key; empty for the root. */
export function keyNames(key: Key): Name[] {
  return key === "" ? [] : (key.split("/") as Name[]);
}

function tooLong(): Fault {
  return new Fault(
    "invalid",
    `A path must have at most ${MAX_KEY_BYTES} bytes and ${MAX_KEY_SEGMENTS} segments.`,
  );
}
