import type { XmlElement } from "../../../runtime/xml.ts";

/**
 * The elements that an element may have, by name; `[shape]`: any number of them, otherwise at most one. TEXT has
 * none. ANYTHING is checked by its reader.
 */
export type DocumentShape = typeof ANYTHING | ElementsShape;

interface ElementsShape {
  readonly [name: string]: DocumentShape | readonly [DocumentShape];
}

export const ANYTHING = "anything";
export const TEXT: ElementsShape = {};

/**
 * Describes the first element or text that a shape does not have, or has once only; undefined: there is none. An element
 * that is left out of account could be a condition: a misspelled one would delete more than its author meant.
 */
export function findUnexpected(element: XmlElement, shape: DocumentShape): string | undefined {
  if (shape === ANYTHING) return undefined;
  if (Object.keys(shape).length > 0 && element.text.trim() !== "") {
    return `${element.name} must have elements, not text`;
  }
  const found = new Set<string>();
  for (const child of element.children) {
    const { name } = child;
    const allowed = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (allowed === undefined) return `${element.name} has no element ${name.slice(0, 64)}`;
    const isRepeatable = isList(allowed);
    if (found.has(name) && !isRepeatable) return `${element.name} has more than one ${name}`;
    found.add(name);
    const inside = findUnexpected(child, isRepeatable ? allowed[0] : allowed);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const isList = (
  allowed: DocumentShape | readonly [DocumentShape],
): allowed is readonly [DocumentShape] => Array.isArray(allowed);
