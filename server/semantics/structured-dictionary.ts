/*
 * Dictionaries of Structured Fields for HTTP (RFC 9651), which digest fields are (RFC 9530).
 */

/** Tokens, strings and display strings are `string`, byte sequences `Uint8Array`, dates `Date`. */
export type BareItem = number | string | boolean | Uint8Array | Date;

/** Values by key, without their parameters. An inner list is an array. */
export type Dictionary = ReadonlyMap<string, BareItem | readonly BareItem[]>;

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y;
const STRING = /"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y;
const TOKEN = /[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/y;
const BYTES = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN = /\?([01])/y;
const DATE = /@(-?\d{1,15})(?![\d.])/y;
const DISPLAY_STRING = /%"((?:[\x20-\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*)"/y;
const SPACES = / */y;
const COMMA = /[ \t]*,[ \t]*/y;
const SEMICOLON = /; */y;

class Malformed extends Error {}

/** undefined: the text is malformed. */
export function parseDictionary(text: string): Dictionary | undefined {
  let position = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) position = pattern.lastIndex;
    return match;
  }

  function takeText(literal: string): boolean {
    const found = text.startsWith(literal, position);
    if (found) position += literal.length;
    return found;
  }

  function key(): string {
    const match = take(KEY);
    if (match === null) throw new Malformed();
    return match[0];
  }

  function bareItem(): BareItem {
    const number = take(NUMBER);
    if (number !== null) return Number(number[0]);
    const quoted = take(STRING);
    if (quoted !== null) return (quoted[1] ?? "").replace(/\\(.)/g, "$1");
    const bytes = take(BYTES);
    if (bytes !== null) return decodeBytes(bytes[1] ?? "");
    const boolean = take(BOOLEAN);
    if (boolean !== null) return boolean[1] === "1";
    const date = take(DATE);
    if (date !== null) return new Date(Number(date[1]) * 1000);
    const display = take(DISPLAY_STRING);
    if (display !== null) return decodeDisplayString(display[1] ?? "");
    const token = take(TOKEN);
    if (token !== null) return token[0];
    throw new Malformed();
  }

  function skipParameters(): void {
    while (take(SEMICOLON) !== null) {
      key();
      if (takeText("=")) bareItem();
    }
  }

  function item(): BareItem {
    const value = bareItem();
    skipParameters();
    return value;
  }

  function innerList(): BareItem[] {
    const items: BareItem[] = [];
    for (;;) {
      const spaces = take(SPACES)?.[0] ?? "";
      if (takeText(")")) return items;
      if (items.length > 0 && spaces === "") throw new Malformed();
      items.push(item());
    }
  }

  function value(): BareItem | readonly BareItem[] {
    if (!takeText("=")) {
      skipParameters();
      return true;
    }
    if (!takeText("(")) return item();
    const items = innerList();
    skipParameters();
    return items;
  }

  function dictionary(): Dictionary {
    const members = new Map<string, BareItem | readonly BareItem[]>();
    take(SPACES);
    if (position === text.length) return members;
    do {
      const name = key();
      // The last member of a key counts, in its place.
      members.delete(name);
      members.set(name, value());
    } while (take(COMMA) !== null);
    take(SPACES);
    if (position < text.length) throw new Malformed();
    return members;
  }

  try {
    return dictionary();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function decodeBytes(base64: string): Uint8Array {
  if (base64.replaceAll("=", "").length % 4 === 1) throw new Malformed();
  return Buffer.from(base64, "base64");
}

function decodeDisplayString(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Malformed();
  }
}
