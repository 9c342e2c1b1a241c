import { common, createLowlight } from "lowlight";
import type { DocumentKind, DocumentNode } from "./document-node.ts";

type Lowlight = ReturnType<typeof createLowlight>;
type Node = ReturnType<Lowlight["highlight"]>["children"][number];

/** Made for the first text: its languages take time and memory. */
let made: Lowlight | undefined;

/** Longer texts stay plain: highlighting them would be slow. */
const MAX_CHARACTERS = 300_000;

const KINDS: Readonly<Record<string, DocumentKind>> = {
  "hljs-comment": "token-comment",
  "hljs-quote": "token-comment",
  "hljs-meta": "token-muted",
  "hljs-keyword": "token-keyword",
  "hljs-selector-tag": "token-keyword",
  "hljs-literal": "token-keyword",
  "hljs-type": "token-type",
  "hljs-built_in": "token-type",
  "hljs-name": "token-keyword",
  "hljs-tag": "token-muted",
  "hljs-string": "token-string",
  "hljs-regexp": "token-string",
  "hljs-addition": "token-string",
  "hljs-deletion": "token-deletion",
  "hljs-number": "token-number",
  "hljs-symbol": "token-number",
  "hljs-bullet": "token-number",
  "hljs-title": "token-title",
  "hljs-section": "token-section",
  "hljs-attr": "token-property",
  "hljs-attribute": "token-property",
  "hljs-variable": "token-property",
  "hljs-property": "token-property",
  "hljs-selector-class": "token-title",
  "hljs-selector-id": "token-title",
  "hljs-link": "token-link",
  "hljs-strong": "token-strong",
  "hljs-emphasis": "token-emphasis",
};

/** Code with its tokens. `language`: a name or file extension; text in an unknown language stays plain. */
export function highlight(text: string, language: string): readonly DocumentNode[] {
  made ??= createLowlight(common);
  const lowlight = made;
  const name = language.toLowerCase();
  if (text.length > MAX_CHARACTERS || !lowlight.registered(name)) return [text];
  try {
    return lowlight.highlight(name, text).children.flatMap(nodesOf);
  } catch (error) {
    // It is nested too deeply for the stack.
    if (error instanceof RangeError) return [text];
    throw error;
  }
}

function nodesOf(node: Node): DocumentNode[] {
  if (node.type === "text") return [node.value];
  if (node.type !== "element") return [];
  const names = node.properties.className;
  const kinds = Array.isArray(names) ? names.flatMap((each) => KINDS[String(each)] ?? []) : [];
  const children = node.children.flatMap(nodesOf);
  return [{ kind: kinds[0] ?? "token", tag: "span", children }];
}
