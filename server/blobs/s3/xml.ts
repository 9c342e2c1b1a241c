/*
 * Reads S3's responses. They are flat lists of elements without relevant attributes, so they need no
 * XML parser.
 */

/** The raw content of every element of this name. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  );
}

/** The text of the first element of this name; empty: none. */
export function textOf(xml: string, name: string): string {
  return unescapeXml(elements(xml, name)[0] ?? "");
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return NAMED[name] ?? whole;
  });
}
