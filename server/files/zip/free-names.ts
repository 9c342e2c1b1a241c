import { extensionStart } from "../../domain/names/extension-start.ts";
import { MAX_NAME_BYTES } from "../../domain/names/name.ts";
import { truncate } from "../../domain/names/numbered-name.ts";
import { quickHash } from "../../runtime/hash.ts";

/** Names one entry of a zip. `kind`: a folder's name has no extension. */
export type FreeName = (name: string, kind: "file" | "folder") => string;

/**
 * Makes the names in one folder of a zip possible and unique, also where it is unpacked on Windows or macOS: "a:b.txt"
 * becomes "a_b.txt", and the first duplicate "name (2).ext", and so on.
 */
export function createFreeNames(): FreeName {
  /** Hashes, since a folder may have very many names. */
  const taken = new Set<number>();
  /** The last number given to each name, so that many duplicates take linear time. */
  const numbers = new Map<string, number>();

  return (stored, kind) => {
    const name = nameOnWindows(stored);
    const dot = kind === "file" ? extensionStart(name) : name.length;
    // A long extension leaves no room for a number.
    const start = Buffer.byteLength(name.slice(dot)) < MAX_EXTENSION_BYTES ? dot : name.length;
    let free = name;
    let hash = hashOf(fold(free));
    while (taken.has(hash)) {
      const number = (numbers.get(fold(name)) ?? 1) + 1;
      numbers.set(fold(name), number);
      free = joined(name.slice(0, start), ` (${number})${name.slice(start)}`);
      hash = hashOf(fold(free));
    }
    taken.add(hash);
    return free;
  };
}

const MAX_EXTENSION_BYTES = 100;

/** Shortens the stem of a name that no disk could hold. */
function joined(stem: string, end: string): string {
  const room = MAX_NAME_BYTES - Buffer.byteLength(end);
  return truncate(stem, room) + end;
}

/** Names of devices of Windows, also with any extension and with spaces before it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

/** The name with "_" where Windows cannot have it. */
export const nameOnWindows = (name: string): string =>
  name
    .replace(/[*?:"<>|]/g, "_")
    .replace(/[. ]$/, "_")
    .replace(DEVICE, "$&_");

/**
 * The same text for names that Windows or macOS may take for one: they ignore case, and compare letters with
 * accents by their parts.
 */
const fold = (name: string): string =>
  name.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");

/** 53 bits, so that a number holds them: among a million names, one in 20,000 zips numbers a name in vain. */
const hashOf = (text: string): number => Number(BigInt.asUintN(53, quickHash(text)));
