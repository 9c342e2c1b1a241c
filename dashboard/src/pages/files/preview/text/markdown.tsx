import { useMemo } from "react";
import { readMarkdown } from "../../../../../../contract/documents/read-markdown.ts";
import { documentContent } from "./document-content.tsx";

export interface MarkdownProps {
  readonly text: string;
  /** The document's folder, empty or with a trailing slash; relative images resolve against it. */
  readonly folder: string;
}

/** The level of the heading with the name of the file. */
const ABOVE = 2;

/** Rendered Markdown. */
export function Markdown({ text, folder }: MarkdownProps) {
  const content = useMemo(
    () => documentContent(readMarkdown(text, { folder, above: ABOVE })),
    [text, folder],
  );
  return (
    <article className="mx-auto flex max-w-3xl flex-col gap-4 break-words px-6 py-8 text-base leading-6 md:px-10">
      {content}
    </article>
  );
}
