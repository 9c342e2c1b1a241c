/*
 * A place is a path below the store's root, as text. File names are bytes: a name that is not UTF-8
 * has its non-ASCII bytes percent-encoded, and "%" always is, so every place maps to exactly one file.
 */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The place of the entry with this name inside the folder at `parent` ("": the root). */
export function placeOfEntry(parent: string, name: Uint8Array): string {
  return parent === "" ? encodeName(name) : `${parent}/${encodeName(name)}`;
}

function encodeName(name: Uint8Array): string {
  try {
    return utf8.decode(name).replaceAll("%", "%25");
  } catch {
    return Array.from(name, (byte) =>
      byte < 0x80 && byte !== 0x25 ? String.fromCharCode(byte) : `%${hex(byte)}`,
    ).join("");
  }
}

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");

/** The path of a place below `root`, in bytes. */
export function pathOfPlace(root: string, place: string): Buffer {
  const parts = place.split(/(%[0-9A-F]{2})/);
  const bytes = parts.map((part) =>
    /^%[0-9A-F]{2}$/.test(part)
      ? Buffer.from([Number.parseInt(part.slice(1), 16)])
      : Buffer.from(part),
  );
  return Buffer.concat([Buffer.from(`${root}/`), ...bytes]);
}
