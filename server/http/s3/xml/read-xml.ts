import { S3Fault } from "../../../domain/s3-fault.ts";
import { parseXml } from "../../../runtime/markup.ts";

/** An element, without attributes and namespaces. */
export interface XmlElement {
  readonly name: string;
  /** The text between its tags, if it has no elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** S3 reads this much. */
const MAX_BYTES = 2 * 1024 * 1024;
/** No request of S3 has more levels of elements. */
const MAX_DEPTH = 16;

/**
 * Reads a document whose root has this name. S3Fault "MalformedXML": it is not well-formed, has another
 * root or a document type, or is too long or too deep.
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  root: string,
): Promise<XmlElement> {
  const text = await readText(chunks);
  if (/<!DOCTYPE/i.test(text)) throw malformed("it has a document type");
  let document: unknown;
  try {
    document = parseXml(text);
  } catch {
    throw malformed("it is not well-formed");
  }
  const [element] = elementsOf(document);
  if (element?.name === root) return element;
  throw malformed(`its root must be ${root}`);
}

/** The text of the first child with this name; undefined: there is none. */
export const childText = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text;

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES) throw malformed(`it is longer than ${MAX_BYTES} bytes`);
    // The chunk's memory may be used again.
    read.push(chunk.slice());
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(read));
  } catch {
    throw malformed("it is not UTF-8");
  }
}

/** The parser gives text for an element without elements, and a list for repeated ones. */
function elementsOf(value: unknown, depth = 0): XmlElement[] {
  if (typeof value !== "object" || value === null) return [];
  if (depth > MAX_DEPTH)
    throw malformed(`its elements are nested more than ${MAX_DEPTH} levels deep`);
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

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  );
