/** A rendered text: what it is made of, without looks. The dashboard and the pages of links give each kind its own. */
export type DocumentNode = string | DocumentElement;

export interface DocumentElement {
  readonly kind: DocumentKind;
  /** The element of HTML. */
  readonly tag: string;
  readonly children: readonly DocumentNode[];
  readonly href?: string;
  readonly title?: string;
  readonly alt?: string;
  /** The language of a code block, as the document names it. */
  readonly language?: string;
  /** The first number of a list. */
  readonly start?: number;
  /** The key of an image that is a file. */
  readonly imageKey?: string;
}

export type DocumentKind =
  | (typeof TOKEN_KINDS)[number]
  | "blockedImage"
  | "blockedLink"
  | "break"
  | "bullets"
  | "cell"
  | "code"
  | "codeText"
  | "deleted"
  | "emphasis"
  | "group"
  | "head"
  | "heading1"
  | "heading2"
  | "heading3"
  | "heading4"
  | "heading5"
  | "heading6"
  | "image"
  | "inlineCode"
  | "item"
  | "link"
  | "markup"
  | "numbers"
  | "paragraph"
  | "quote"
  | "row"
  | "rule"
  | "strong"
  | "table"
  | "task"
  | "taskText";

/** The kinds of tokens that the highlighter colours. */
export const TOKEN_KINDS = [
  "token-muted",
  "token-comment",
  "token-keyword",
  "token-type",
  "token-string",
  "token-deletion",
  "token-number",
  "token-title",
  "token-section",
  "token-property",
  "token-link",
  "token-strong",
  "token-emphasis",
  "token",
] as const;
