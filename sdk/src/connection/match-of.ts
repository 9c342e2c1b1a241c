/** The groups that a pattern finds in a text, such as a header; none if it does not match. */
export const matchOf = (pattern: RegExp, text: string | null | undefined): readonly string[] =>
  pattern.exec(text ?? "")?.slice(1) ?? [];
