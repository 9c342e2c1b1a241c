import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { DocumentElement, DocumentNode } from "./document-node.ts";
import { highlight } from "./highlight.ts";
import { resolveRelativeKey, safeLink } from "./safe-link.ts";

type Node = ReturnType<typeof fromMarkdown>["children"][number];

export interface MarkdownOptions {
  /** The document's folder, empty or with a trailing slash, to which relative images belong; undefined: none is shown. */
  readonly folder: string | undefined;
  /** The level of the headings of the page above the document. */
  readonly above: number;
}

/**
 * Reads Markdown. HTML in it stays text, links only lead to the web, and images are only files of this instance, so
 * opening a document sends no request elsewhere.
 *
 * react-markdown, which uses the same parser, would double this chunk (46.0 instead of 22.5 KB compressed), adds some
 * 35 packages, and renders nothing on the server.
 */
export function readMarkdown(text: string, options: MarkdownOptions): readonly DocumentNode[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const all = (nodes: readonly Node[]): DocumentNode[] => nodes.flatMap(read);

  function read(node: Node): DocumentNode[] {
    const children = "children" in node ? all(node.children) : [];
    const element = (
      kind: DocumentElement["kind"],
      tag: string,
      more: Partial<DocumentElement> = {},
    ): DocumentNode[] => [{ kind, tag, children, ...more }];
    switch (node.type) {
      case "text":
        return [node.value];
      case "paragraph":
        return element("paragraph", "p");
      case "heading":
        return element(`heading${node.depth}`, `h${Math.min(6, node.depth + options.above)}`);
      case "strong":
        return element("strong", "strong");
      case "emphasis":
        return element("emphasis", "em");
      case "delete":
        return element("deleted", "del");
      case "break":
        return element("break", "br");
      case "thematicBreak":
        return element("rule", "hr");
      case "inlineCode":
        return element("inlineCode", "code", { children: [node.value] });
      case "html":
        return element("markup", "code", { children: [node.value] });
      case "code":
        return element("code", "pre", {
          ...(typeof node.lang === "string" ? { language: node.lang } : {}),
          children: [
            { kind: "codeText", tag: "code", children: highlight(node.value, node.lang ?? "") },
          ],
        });
      case "blockquote":
        return element("quote", "blockquote");
      case "list":
        return node.ordered
          ? element("numbers", "ol", { start: node.start ?? 1 })
          : element("bullets", "ul");
      case "listItem":
        if (typeof node.checked !== "boolean") return element("item", "li");
        return element("task", "li", {
          children: [
            { kind: "token", tag: "span", children: [node.checked ? "☑" : "☐"] },
            { kind: "taskText", tag: "div", children },
          ],
        });
      case "link": {
        const href = safeLink(node.url);
        return href === undefined
          ? element("blockedLink", "span", { title: node.url })
          : element("link", "a", { href });
      }
      case "image": {
        const { folder } = options;
        const imageKey = folder === undefined ? undefined : resolveRelativeKey(folder, node.url);
        const alt = node.alt ?? "";
        return imageKey === undefined
          ? element("blockedImage", "span", {
              title: node.url,
              children: [`External image blocked${alt === "" ? "" : `: ${alt}`}`],
            })
          : element("image", "img", { imageKey, alt });
      }
      case "table":
        return element("table", "table", {
          children: node.children.map((line, at) => ({
            kind: "row",
            tag: "tr",
            children: line.children.map((cell) => ({
              kind: at === 0 ? "head" : "cell",
              tag: at === 0 ? "th" : "td",
              children: all(cell.children),
            })),
          })),
        });
      default:
        return "children" in node ? element("group", "div") : [];
    }
  }

  return all(tree.children);
}
