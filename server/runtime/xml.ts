/** An element, without attributes and namespaces. */
export interface XmlElement {
  readonly name: string;
  /** The text between its tags, if it has no elements. */
  readonly text: string;
  /** Children with the same name are in their order. */
  readonly children: readonly XmlElement[];
}

/** Far more levels of elements than documents of S3 have. */
const MAX_DEPTH = 16;

/**
 * Reads a document, and returns its root. Error: it is not well-formed, has a document type, or more than 16
 * levels of elements.
 */
export function parseXml(text: string): XmlElement {
  if (/<!DOCTYPE/i.test(text)) throw new Error("it has a document type");
  let document: unknown;
  try {
    document = Bun.XML.parse(text);
  } catch {
    throw new Error("it is not well-formed");
  }
  const [root] = elementsOf(document);
  if (root === undefined) throw new Error("it has no root");
  return root;
}

/** The text of the first child with this name; undefined: there is none. */
export const childText = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text;

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** Bun gives text for an element without elements, and a list for repeated ones. */
function elementsOf(value: unknown, depth = 0): XmlElement[] {
  if (typeof value !== "object" || value === null) return [];
  if (depth > MAX_DEPTH) {
    throw new Error(`its elements are nested more than ${MAX_DEPTH} levels deep`);
  }
  return Object.entries(value).flatMap(([name, content]: [string, unknown]) => {
    if (name.startsWith("@") || name.startsWith("#")) return [];
    const all: unknown[] = Array.isArray(content) ? content : [content];
    return all.map((each) => ({
      name: name.slice(name.indexOf(":") + 1),
      text: textOf(each),
      children: elementsOf(each, depth + 1),
    }));
  });
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("#text" in value)) return "";
  return typeof value["#text"] === "string" ? value["#text"] : "";
}
