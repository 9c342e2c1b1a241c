import { useMemo } from "react";
import { highlight } from "../../../../../../contract/documents/highlight.ts";
import { documentContent } from "./document-content.tsx";

export interface HighlightedProps {
  readonly text: string;
  /** A language name or file extension; text in an unknown language stays plain. */
  readonly language: string;
}

/** Syntax-highlighted code. */
export const Highlighted = ({ text, language }: HighlightedProps) =>
  useMemo(() => documentContent(highlight(text, language)), [text, language]);
