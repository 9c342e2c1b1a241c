/** The content of an element: null and undefined leave the element out, a list repeats it. */
export type XmlValue =
  | XmlScalar
  | null
  | undefined
  | XmlFields
  | readonly (XmlScalar | XmlFields)[];

type XmlScalar = string | number | boolean;

/** Child elements by name, in their order. A name that starts with `@` is that of an attribute. */
export interface XmlFields {
  readonly [name: string]: XmlValue;
}

const S3_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** A document with this root. An empty `namespace` leaves it out. */
export function writeXml(root: string, fields: XmlFields, namespace = S3_NAMESPACE): string {
  const content = namespace === "" ? fields : { "@xmlns": namespace, ...fields };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, content)}`;
}

function writeElement(name: string, content: XmlScalar | XmlFields): string {
  if (typeof content !== "object") return `<${name}>${escapeText(String(content))}</${name}>`;
  let attributes = "";
  let children = "";
  for (const [child, value] of Object.entries(content)) {
    if (value === null || value === undefined) continue;
    if (child.startsWith("@")) attributes += ` ${child.slice(1)}="${escapeText(String(value))}"`;
    else children += writeAll(child, value);
  }
  return `<${name}${attributes}>${children}</${name}>`;
}

function writeAll(name: string, value: NonNullable<XmlValue>): string {
  if (!isList(value)) return writeElement(name, value);
  return value.map((each) => writeElement(name, each)).join("");
}

const isList = (value: NonNullable<XmlValue>): value is readonly (XmlScalar | XmlFields)[] =>
  Array.isArray(value);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\p{Cc}\ufffe\uffff]/gu, escapeControlCharacter);
}

/**
 * A reference, because parsers change line breaks. A character that XML cannot have becomes U+FFFD
 * REPLACEMENT CHARACTER, so that one name does not make a whole list unreadable.
 */
function escapeControlCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const isAllowed = "\t\n\r".includes(character) || (code >= 0x7f && code <= 0x9f);
  return isAllowed ? `&#${code};` : "\ufffd";
}
