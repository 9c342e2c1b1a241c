import { common, createLowlight } from "lowlight";
import { Fragment, type ReactNode, useMemo } from "react";

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Longer texts stay plain: highlighting them would be slow. */
const MAX_CHARACTERS = 300_000;

/** Theme classes for the highlighter's classes. */
const TOKEN_CLASSES: Readonly<Record<string, string>> = {
  "hljs-comment": "text-muted italic",
  "hljs-quote": "text-muted italic",
  "hljs-meta": "text-muted",
  "hljs-keyword": "text-kind-video",
  "hljs-selector-tag": "text-kind-video",
  "hljs-literal": "text-kind-video",
  "hljs-type": "text-kind-code",
  "hljs-built_in": "text-kind-code",
  "hljs-name": "text-kind-video",
  "hljs-tag": "text-muted",
  "hljs-string": "text-good",
  "hljs-regexp": "text-good",
  "hljs-addition": "text-good",
  "hljs-deletion": "text-bad",
  "hljs-number": "text-warn",
  "hljs-symbol": "text-warn",
  "hljs-bullet": "text-warn",
  "hljs-title": "text-kind-document",
  "hljs-section": "font-semibold text-kind-document",
  "hljs-attr": "text-kind-image",
  "hljs-attribute": "text-kind-image",
  "hljs-variable": "text-kind-image",
  "hljs-property": "text-kind-image",
  "hljs-selector-class": "text-kind-document",
  "hljs-selector-id": "text-kind-document",
  "hljs-link": "text-accent underline",
  "hljs-strong": "font-semibold",
  "hljs-emphasis": "italic",
};

export interface HighlightedProps {
  readonly text: string;
  /** A language name or file extension; text in an unknown language stays plain. */
  readonly language: string;
}

/** Syntax-highlighted code. */
export function Highlighted({ text, language }: HighlightedProps) {
  return useMemo(() => {
    const name = language.toLowerCase();
    if (text.length > MAX_CHARACTERS || !lowlight.registered(name)) return text;
    return <Fragment>{lowlight.highlight(name, text).children.map(renderNode)}</Fragment>;
  }, [text, language]);
}

function renderNode(node: Node, key: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties.className;
  const classes = Array.isArray(names)
    ? names.flatMap((name) => TOKEN_CLASSES[String(name)] ?? [])
    : [];
  return (
    <span key={key} className={classes.join(" ") || undefined}>
      {node.children.map(renderNode)}
    </span>
  );
}
