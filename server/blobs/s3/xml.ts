import { childText, parseXml, type XmlElement } from "../../runtime/xml.ts";
import { S3Error } from "./s3-error.ts";

/** Reads a response. An error page is not XML, and some stores send nothing: undefined. */
export function readXml(text: string): XmlElement | undefined {
  try {
    return parseXml(text.trim());
  } catch {
    return undefined;
  }
}

/** Reads a list. S3Error: it cannot be read, or it is an error that the store noticed after it sent 200. */
export function readList(text: string, name: string): XmlElement {
  const list = readXml(text);
  const error = findElement(list, "Error");
  if (list !== undefined && error === undefined) return list;
  const code = textIn(error, "Code");
  throw new S3Error(500, code, `${name}: ${code === "" ? "the list cannot be read" : code}`);
}

/** The element itself or the first inside it that has this name. */
export function findElement(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (element === undefined || element.name === name) return element;
  for (const child of element.children) {
    const found = findElement(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of the first element with this name, at any depth; empty: none. */
export const findText = (element: XmlElement | undefined, name: string): string =>
  findElement(element, name)?.text ?? "";

/** The text of the child with this name; empty: none. */
export const textIn = (element: XmlElement | undefined, name: string): string =>
  (element && childText(element, name)) ?? "";

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
