import { foldText } from "./fold-text.ts";

/**
 * The sort key of a file's or folder's name: compared by the bytes of their UTF-8, keys order names as
 * people do. `a2` comes before `B10`: case and accents do not count (as in a search), and digits count as
 * the number that they write. Punctuation of ASCII comes before digits, and digits before letters. Names
 * that differ only in case, accents or leading zeros are ordered by length, then by bytes: `a1`, `A1`, `a01`.
 * So different names have different keys, and nothing but the names decides.
 *
 * A key has at most 769 bytes, as a name has at most 255: nothing is cut off. The catalog stores keys, so
 * another rule needs a schema migration.
 */
export function naturalName(name: string): string {
  const folded = foldText(name);
  const key = folded.replace(LATE_PUNCTUATION, early).replace(DIGITS, withLength);
  const isPlain = folded === name && !LEADING_ZERO.test(name);
  return isPlain ? key : `${key}${END}${`${name.length}`.padStart(3, "0")}${name}`;
}

const DIGITS = /[0-9]+/g;
const LEADING_ZERO = /(?<![0-9])0[0-9]/;

/** Comes before everything else in a key. */
const END = "\u0001";

/** The punctuation of ASCII after the digits. Names have no control characters, so these stand for it in keys. */
const LATE_PUNCTUATION = /[:-@[-`{-~]/g;
const IN_ORDER = "_:;<=>?@[\\]^`{|}~";
const early = (character: string): string => String.fromCharCode(2 + IN_ORDER.indexOf(character));

/**
 * The number without leading zeros, after its length: one digit up to nine digits, more for longer ones.
 * It begins with a digit, so a number is still where digits are among other characters.
 */
function withLength(digits: string): string {
  const number = digits.replace(/^0+(?=[0-9])/, "");
  const { length } = number;
  return length < 10 ? `${length - 1}${number}` : `9${`${length}`.padStart(3, "0")}${number}`;
}
