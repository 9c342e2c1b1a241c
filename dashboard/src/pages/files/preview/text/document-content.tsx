import { createElement, type ReactNode } from "react";
import type {
  DocumentElement,
  DocumentKind,
  DocumentNode,
} from "../../../../../../contract/documents/document-node.ts";
import { holdall } from "../../../../app/connection/client.ts";
import { FocusArea } from "../../../../components/focus-area.tsx";

const CLASSES: Readonly<Partial<Record<DocumentKind, string>>> = {
  heading1: "mt-2 font-semibold text-2xl",
  heading2: "mt-2 border-line border-b pb-1.5 font-semibold text-xl",
  heading3: "mt-1 font-semibold text-lg",
  heading4: "font-semibold text-base",
  heading5: "font-semibold text-sm",
  heading6: "font-semibold text-muted text-sm",
  strong: "font-semibold",
  rule: "border-line",
  inlineCode: "rounded-sm bg-hover px-1 py-0.5 font-mono text-sm",
  markup: "whitespace-pre-wrap font-mono text-muted text-sm",
  code: "w-max px-4 py-3 font-mono text-sm leading-5",
  quote: "flex flex-col gap-3 border-edge border-l-3 pl-4 text-muted",
  bullets: "flex list-disc flex-col gap-1.5 pl-6",
  numbers: "flex list-decimal flex-col gap-1.5 pl-6",
  task: "-ml-6 flex list-none gap-2",
  taskText: "flex min-w-0 flex-col gap-1.5",
  link: "text-accent underline underline-offset-3",
  image: "max-w-full rounded-md",
  blockedImage:
    "inline-block rounded-md border border-edge border-dashed px-2 py-0.5 text-muted text-sm",
  row: "border-line border-b",
  head: "px-3 py-2 text-left align-top",
  cell: "px-3 py-2 text-left align-top",
  "token-muted": "text-muted",
  "token-comment": "text-muted italic",
  "token-keyword": "text-kind-video",
  "token-type": "text-kind-code",
  "token-string": "text-good",
  "token-deletion": "text-bad",
  "token-number": "text-warn",
  "token-title": "text-kind-document",
  "token-section": "font-semibold text-kind-document",
  "token-property": "text-kind-image",
  "token-link": "text-accent underline",
  "token-strong": "font-semibold",
  "token-emphasis": "italic",
};

/** Renders a document as React elements, so that nothing in it becomes markup. */
export const documentContent = (nodes: readonly DocumentNode[]): ReactNode =>
  nodes.map((node, key) => (typeof node === "string" ? node : elementOf(node, key)));

function elementOf(element: DocumentElement, key: number): ReactNode {
  const { kind, tag, href, title, alt, start, imageKey } = element;
  const children = element.children.length === 0 ? undefined : documentContent(element.children);
  const className = CLASSES[kind];
  if (kind === "code") {
    return (
      <FocusArea
        key={key}
        label="Code"
        className="overflow-x-auto rounded-md border border-line bg-hover"
      >
        <pre className={className}>{children}</pre>
      </FocusArea>
    );
  }
  if (kind === "table") {
    return (
      <FocusArea key={key} label="Table" className="overflow-x-auto">
        <table className="border-collapse text-sm">
          <tbody>{children}</tbody>
        </table>
      </FocusArea>
    );
  }
  if (imageKey !== undefined) {
    return (
      <img key={key} src={holdall.url(imageKey)} alt={alt} loading="lazy" className={className} />
    );
  }
  const link = href === undefined ? {} : { href, target: "_blank", rel: "noopener noreferrer" };
  return createElement(tag, { key, className, title, start, ...link }, children);
}
