import { Fault } from "./fault.ts";
import type { Key, Name } from "./records.ts";

export const MAX_NAME_BYTES = 255;
export const MAX_KEY_BYTES = 4096;
export const MAX_KEY_SEGMENTS = 128;

export const ROOT_KEY = "" as Key;

const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/**
 * No text longer than this (in UTF-16 code units) has an NFC form that fits: per byte of the form,
 * the text has at most 1.5. Normalising takes time quadratic in a run of combining marks, minutes
 * for a megabyte, so what is longer must not get that far.
 */
const MAX_NAME_UNITS = 2 * MAX_NAME_BYTES;

/** What is a name for certain, and its own NFC form: most are found here, at a tenth of the cost. */
const PLAIN = /^[\w-][\w .()+,@=-]{0,254}$/;

/** The NFC form of `text`, which stays as it is where it is too long for a name anyway. */
const normalise = (text: string): string =>
  text.length > MAX_NAME_UNITS ? text : text.normalize("NFC");

/** Why `text` (from `normalise`) is no name, as the end of the sentence "A name …", or null. */
function flaw(text: string): string | null {
  if (/^[\s\u0085]*$/.test(text)) return "must not be empty or only white space";
  if (text === "." || text === "..") return "must not be `.` or `..`";
  if (/[/\\]/.test(text)) return "must be a single path segment, without `/` or `\\`";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) return "must not contain control characters";
  if (!text.isWellFormed()) return "must be valid Unicode, without lone surrogates";
  if (text.length > MAX_NAME_UNITS || byteLength(text) > MAX_NAME_BYTES) {
    return `must be at most ${MAX_NAME_BYTES} bytes of UTF-8, and this one has ${byteLength(text)}`;
  }
  return null;
}

/** The name in NFC. Fault "invalid": not a possible name. */
export function parseName(text: string): Name {
  if (PLAIN.test(text)) return text as Name;
  const name = normalise(text);
  const wrong = flaw(name);
  if (wrong !== null) throw new Fault("invalid", `A name ${wrong}.`);
  return name as Name;
}

/** Like `parseName`, but undefined for an impossible name. */
export function tryParseName(text: string): Name | undefined {
  if (PLAIN.test(text)) return text as Name;
  const name = normalise(text);
  return flaw(name) === null ? (name as Name) : undefined;
}

/**
 * The key that a path in a body, a form field or `key=` stands for: leading, trailing and repeated
 * slashes are dropped. "" and "/" are the root. Fault "invalid": a segment is no name, or the key
 * is too long or too deep.
 */
export function parseKey(path: string): Key {
  // Twice the limit leaves room for repeated slashes and NFC, and keeps the work bounded.
  if (path.length > 2 * MAX_KEY_BYTES) throw tooLong();
  const segments = path.split("/").filter((segment) => segment !== "");
  return joinKey(segments.map(parseName));
}

/** The key of the names in order, at most 4,096 bytes and 128 segments: fault "invalid" past that. */
export function joinKey(names: readonly Name[]): Key {
  const key = names.join("/");
  // No unit of UTF-16 takes more than three bytes.
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

/** The names along a key, none for the root. */
export function keyNames(key: Key): Name[] {
  return key === "" ? [] : (key.split("/") as Name[]);
}

function tooLong(): Fault {
  return new Fault(
    "invalid",
    `A path must have at most ${MAX_KEY_BYTES} bytes and ${MAX_KEY_SEGMENTS} segments.`,
  );
}
