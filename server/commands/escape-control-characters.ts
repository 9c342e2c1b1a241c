/** Somebody's text as it may be printed: it cannot steer the terminal, nor begin another line. */
export function escapeControlCharacters(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�");
}
