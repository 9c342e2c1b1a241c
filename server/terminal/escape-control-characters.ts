/** Makes untrusted text safe to print: each control or invisible character becomes U+FFFD REPLACEMENT CHARACTER. */
export function escapeControlCharacters(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�");
}
